import { type Command, CommanderError } from 'commander';
import { explain } from '../lambda/aws/errors.ts';
import { EventError } from '../lambda/event.ts';
import { ItemUnreadable } from '../lambda/sequence/items.ts';
import { SequenceError } from '../lambda/settings/parse-sequence.ts';
import { ConfigurationError } from '../lambda/settings/parse-settings.ts';
import manifest from '../package.json' with { type: 'json' };
import { FunctionBusy, FunctionFailed } from './aws/functions.ts';
import { program } from './program.ts';
import { isCredentials } from './read.ts';
import { Complaint, EXIT } from './session.ts';
import { processTerminal } from './terminal.ts';
import { indented } from './text.ts';

// The commands run on any Node that this package supports; which of them the SDK will support is no news.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

const terminal = processTerminal();
const made = program(terminal, manifest.version, (exit) => {
  process.exitCode = exit;
});
const withAll = (command: Command): Command[] => [command, ...command.commands.flatMap(withAll)];
for (const command of withAll(made.exitOverride())) command.exitOverride().copyInheritedSettings(made);

made.parseAsync().catch((error: unknown) => {
  // Commander has told what is wrong, or the help.
  if (error instanceof CommanderError) process.exitCode = error.exitCode;
  else {
    process.exitCode = EXIT.failed;
    terminal.note(indented(messageOf(error)));
  }
});

/** What to put right. A stack trace is for faults of our own only. */
function messageOf(error: unknown): string {
  if (isOurs(error)) return error.message;
  if (error instanceof Error && /^Region is missing/.test(error.message))
    return 'No Region: give --region, set AWS_REGION, or choose a profile that has one.';
  if (isCredentials(error)) {
    const { AWS_PROFILE: profile } = process.env;
    const by = profile === undefined ? '' : ` by profile ${profile}`;
    return `No credentials${by}: ${(error as Error).message}\nThey are taken as the AWS CLI takes them: try aws sso login, or --profile and --region.`;
  }
  return error instanceof Error && '$metadata' in error
    ? explain(error).replace(/; the next invocation tries again$/, '')
    : String((error as Error).stack ?? error);
}

function isOurs(error: unknown): error is Error {
  const ofFunctions = [FunctionBusy, FunctionFailed, ConfigurationError, EventError];
  const ours = [Complaint, ...ofFunctions, SequenceError, ItemUnreadable];
  return ours.some((kind) => error instanceof kind);
}
