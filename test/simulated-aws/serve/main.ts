/**
 * The simulated AWS alone, until it is killed: for the AWS CLI, for a function in an emulator, or for anybody's roller, which
 * it judges.
 *
 *     npm run serve -- --port 4570 --cluster web
 *     AWS_ENDPOINT_URL=http://127.0.0.1:4570 aws --no-sign-request --region eu-central-1 \
 *       ecs list-container-instances --cluster web
 *     curl http://127.0.0.1:4570/_report.txt
 */
import process from 'node:process';
import { type ServeOptions, serveCommand } from './options.ts';
import { serve } from './serve.ts';

const command = serveCommand().parse();
const options = command.opts<ServeOptions>();

try {
  const { url, end } = await serve(options);
  const { cluster, region, account } = options;
  process.stdout.write(`The simulated AWS is at ${url}: cluster ${cluster}, ${region}, account ${account}\n`);
  const aws = `aws --no-sign-request --region ${region} --endpoint-url ${url}`;
  process.stdout.write(`Try: ${aws} ecs list-container-instances --cluster ${cluster}\n`);
  process.stdout.write(`It is judged at ${url}/_report.txt\n`);
  // npm and tsx may pass the same signal on a second time.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => void finish(end));
} catch (error) {
  command.error(
    `error: port ${options.port} can't be had: ${error instanceof Error ? error.message : String(error)}`,
  );
}

let isEnding = false;

async function finish(end: Awaited<ReturnType<typeof serve>>['end']): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  const { text, held } = await end();
  process.exitCode = held ? 0 : 1;
  process.stdout.write(text);
}
