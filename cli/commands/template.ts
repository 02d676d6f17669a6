import { Complaint, EXIT, type Exit, type Options, type Terminal } from '../session.ts';
import { json } from '../text.ts';

export interface TemplateOptions extends Options {
  /** As the CDK takes it: `key=value`. */
  readonly context?: readonly string[];
}

const FOLDER = 'ecs-ami-deploy-template';

/** Writes what CloudFormation alone deploys, by the CDK's library: npm installs it beside this package. */
export async function template(
  { context = [], ...options }: TemplateOptions,
  terminal: Terminal,
): Promise<Exit> {
  try {
    // Loaded only here: nothing else needs the CDK.
    const { writeTemplate } = await import('../../infra/template.ts');
    for (const told of writeTemplate(Object.fromEntries(context.map(pairIn)), FOLDER)) terminal.note(told);
  } catch (error) {
    const { name, code, message } = error as NodeJS.ErrnoException;
    if (name === 'DeploymentError') throw new Complaint(message);
    if (code !== 'MODULE_NOT_FOUND') throw error;
    throw new Complaint('this needs the CDK: npm install aws-cdk-lib constructs');
  }
  const [file, code] = [`${FOLDER}/template.json`, `${FOLDER}/function`];
  terminal.out(
    options.json ? json({ template: file, code }) : `${file} is written, with the code beside it.`,
  );
  return EXIT.done;
}

function pairIn(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new Complaint(`-c was "${text}"; it may be key=value, such as clusters=web,jobs`);
  return [text.slice(0, at), text.slice(at + 1)];
}
