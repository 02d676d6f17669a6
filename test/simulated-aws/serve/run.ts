import process from 'node:process';
import { type Own, type ServeOptions, serveCommand } from './options.ts';
import { type Served, serve } from './serve.ts';

/**
 * Serves as the command line says, until SIGINT or SIGTERM; exits with 1 if an invariant broke or the port
 * can't be had.
 */
export async function runServe(own?: Own): Promise<void> {
  const command = serveCommand(own).parse();
  const options = command.opts<ServeOptions>();
  const served = await serve(options, own).catch((error: unknown) =>
    command.error(`error: can't listen on port ${options.port}: ${messageOf(error)}`),
  );
  process.stdout.write(greeting(options, served, own));
  let isEnding = false;
  const finish = async () => {
    // npm passes on a signal that the terminal has sent to the whole process group.
    if (isEnding) return;
    isEnding = true;
    const { text, held } = await served.end();
    process.exitCode = held ? 0 : 1;
    process.stdout.write(text);
  };
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => void finish());
}

function greeting({ cluster, region, account }: ServeOptions, { url }: Served, own?: Own): string {
  const aws = `aws --no-sign-request --region ${region} --endpoint-url ${url}`;
  return [
    `The simulated AWS is at ${url}: cluster ${cluster}, ${region}, account ${account}`,
    `Try: ${aws} ecs list-container-instances --cluster ${cluster}`,
    ...(own?.tries === undefined ? [] : [`Or:  ${own.tries({ url, region })}`]),
    `Report: ${url}/_report.txt`,
    '',
  ].join('\n');
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
