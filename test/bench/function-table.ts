import { FUNCTION_TIMEOUT_MINUTES } from '../../lambda/contract.ts';
import { PRICES, TABLE_PRICES } from './prices.ts';
import type { FunctionFigures } from './results.ts';

/** https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html: so much has one processor. */
const MEGABYTES_PER_PROCESSOR = 1769;

const SIZES = [128, 256, 512, 1024];
const INVOCATION_SECONDS = FUNCTION_TIMEOUT_MINUTES * 60;

/** What is told of the function beside its rolls: each part that was measured. */
export function describeFunction({ decide, invocations, idle, sequence }: FunctionFigures = {}): string {
  return [
    decide && decideText(decide),
    idle && idleTable(idle),
    ...(invocations ?? []).map(memoryTable),
    sequence && passTable(sequence),
  ]
    .filter((part) => part !== undefined)
    .join('\n\n');
}

function decideText({ node, times, growth }: NonNullable<FunctionFigures['decide']>): string {
  const each = times.map(([instances, millis]) => `${millis.toFixed(0)} ms for ${whole(instances)}`);
  return `In Node ${node}, \`decide\` took ${each.join(', ')} instances: it grows with their number to the power of ${growth.exponent.toFixed(2)}.`;
}

function idleTable(idle: NonNullable<FunctionFigures['idle']>): string {
  const lines = idle.map(({ action, groups, calls }) => [
    `\`${action}\``,
    whole(groups),
    whole(calls),
    (calls / groups).toFixed(1),
  ]);
  return table(['Nothing to do', 'Groups', 'Calls', 'Calls a group'], lines);
}

/** An invocation of a roll waits for most of its 15 minutes, whatever its processor can do. */
function memoryTable({
  cluster,
  megabytes,
  processorSeconds,
}: NonNullable<FunctionFigures['invocations']>[number]): string {
  const lines = SIZES.map((size) => {
    const busy = (processorSeconds * MEGABYTES_PER_PROCESSOR) / size;
    const billed = Math.max(INVOCATION_SECONDS, busy) * (size / 1024);
    const fits = megabytes < size;
    return [
      `${whole(size)} MB`,
      fits ? `${whole((100 * megabytes) / size)} %` : 'too little',
      `${whole((100 * busy) / INVOCATION_SECONDS)} %`,
      whole(billed),
      (billed * PRICES.lambdaGigabyteSecond).toFixed(4),
    ];
  });
  const said = `An invocation that rolls ${cluster} took ${megabytes} MB at most and ${processorSeconds} s of one processor:`;
  return `${said}\n\n${table(['Memory', 'In use', 'Computes', 'GB-seconds', 'Dollars'], lines)}`;
}

const PASSES_A_MONTH = (30 * 24 * 60) / 5;

function passTable(sequence: NonNullable<FunctionFigures['sequence']>): string {
  const lines = sequence.map(({ stacks, accounts, readUnits, writeUnits, ...each }) => [
    each.isNewRelease ? 'A new release' : 'Nothing to decide',
    whole(stacks),
    whole(accounts),
    whole(each.calls),
    whole(readUnits),
    whole(writeUnits),
    `${each.processorSeconds.toFixed(2)} s`,
    `${each.decideSeconds.toFixed(2)} s`,
    each.isNewRelease ? '–' : (PASSES_A_MONTH * readUnits * TABLE_PRICES.readUnit).toFixed(2),
  ]);
  const titles = ['A pass of a sequence', 'Stacks', 'Accounts', 'Calls', 'Read units', 'Write units'];
  return table([...titles, 'Computes', 'Decides', 'Dollars a month'], lines);
}

function table(titles: readonly string[], lines: readonly (readonly string[])[]): string {
  const rule = titles.map((_, index) => (index === 0 ? '---' : '---:'));
  return [titles, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const whole = (figure: number) => Math.round(figure).toLocaleString('en');
