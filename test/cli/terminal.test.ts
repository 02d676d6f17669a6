import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { processTerminal } from '../../cli/terminal.ts';
import { type Deployed, deploy } from './deployed.ts';
import { COMMAND, environmentWith } from './run.ts';

/** Of util-linux: runs a command on a terminal of its own. Other systems have another, or none. */
const SCRIPT = spawnSync('script', ['--version'], { encoding: 'utf8' });
const hasTerminal = SCRIPT.stdout?.includes('util-linux') === true;
const [COLUMNS, ROWS] = [80, 20];
const CTRL_C = '\u0003';

describe.runIf(hasTerminal)('on a terminal', () => {
  let deployed: Deployed;
  beforeAll(async () => {
    deployed = await deploy(20, '--instances', '12');
  });
  afterAll(() => deployed.end());

  /** @param until types Ctrl-C once this was shown */
  async function shown(line: string, until?: RegExp, others: NodeJS.ProcessEnv = {}, columns = COLUMNS) {
    const command = `stty cols ${columns} rows ${ROWS}; ${process.execPath} ${COMMAND} --endpoint ${deployed.url} ${line}`;
    const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
      env: { ...environmentWith(others), TERM: 'xterm-256color' },
      timeout: 20_000,
      killSignal: 'SIGKILL',
    });
    let text = '';
    child.stdout.on('data', (part: Buffer) => {
      const before = text;
      text += part.toString();
      if (until?.test(text) && !until.test(before)) child.stdin.write(CTRL_C);
    });
    const [status] = (await once(child, 'close')) as [number | null];
    // A spinner goes back to the first column and draws itself again.
    const drawn = text.replaceAll('\u001b[1G', '\n').replaceAll('\u001b[G', '\n');
    return { status, text, lines: stripVTControlCharacters(drawn).split(/\r?\n|\r/) };
  }

  it('no line is wider than that', async () => {
    for (const line of ['status', 'plan', 'latest-ami', 'list-clusters', '--help']) {
      const { lines } = await shown(line);
      expect(lines.length).toBeGreaterThan(3);
      expect(lines.filter((each) => each.length > COLUMNS)).toEqual([]);
    }
  });

  it('an image has its name where there is room for its date, or none', async () => {
    const { lines } = await shown('latest-ami');
    expect(lines.find((line) => line.startsWith('FAMILY'))).toMatch(/^FAMILY +IMAGE +AGE$/);
    expect(lines.filter((line) => /al2023|kernel/.test(line))).toEqual([]);
    const { lines: wide } = await shown('latest-ami', undefined, {}, 90);
    expect(wide.find((line) => line.startsWith('FAMILY'))).toMatch(/^FAMILY +IMAGE +NAME +AGE$/);
    expect(wide.filter((line) => line.includes('al2023'))).toHaveLength(1);
    expect(wide.join('\n')).toMatch(/ al2023-ami-ecs-hvm-2023\.0\.20\d{6}\S*… +\d+ d$/m);
  });

  it('of no columns, as a recorder has, what it waits for is a line as well', async () => {
    const { status, text } = await shown('status', undefined, {}, 0);
    expect(status).not.toBeNull();
    expect(text).toContain('demo-ecs');
    expect(text.length).toBeLessThan(10_000);
  });

  it('a watch keeps to the rows that there are, until Ctrl-C', async () => {
    const { status, lines } = await shown('status --wide --watch 1', /Z, again [\s\S]+Z, again /);
    expect(lines.find((line) => line.startsWith('…'))).toMatch(/^… \d+ more lines$/);
    expect(lines.filter((each) => each.length > COLUMNS)).toEqual([]);
    expect(status).toBe(130);
  });

  it('there are colors, unless NO_COLOR says otherwise', async () => {
    expect((await shown('status')).text).toContain('\u001b[36mplanned');
    expect((await shown('status', undefined, { NO_COLOR: '1' })).text).not.toContain('\u001b[36m');
  });

  it('what strangers have written sets neither clipboard nor title', async () => {
    const message = '\u001b]52;c;cm0gLXJm\u0007';
    deployed.log.events.push({
      atMs: Date.now(),
      message: JSON.stringify({ level: 'WARN', message }),
    });
    const { text } = await shown('logs');
    expect(text).toContain('WARN �]52;c;cm0gLXJm�');
    expect(text).not.toContain('\u001b]');
  });
});

it('without a terminal each step is a line', async () => {
  const lines: unknown[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(line) > 0);
  await processTerminal()
    .waiting('Function is rolling', async (say) => say('demo-ecs: drains i-1'))
    .finally(() => write.mockRestore());
  expect(lines).toEqual(['demo-ecs: drains i-1\n']);
});

it('on a terminal the step beside the spinner is broken at blanks, never within a name', async () => {
  const { stderr } = process;
  const drawn: unknown[] = [];
  const write = vi.spyOn(stderr, 'write').mockImplementation((text) => drawn.push(text) > 0);
  const moves = { cursorTo: () => true, clearLine: () => true, moveCursor: () => true };
  const before = { isTTY: stderr.isTTY, columns: stderr.columns };
  Object.assign(stderr, { isTTY: true, columns: 40, ...moves });
  vi.stubEnv('CI', undefined);
  vi.stubEnv('TERM', 'xterm');
  const id = 'i-0123456789abcdef0';
  try {
    await processTerminal().waiting('Function is rolling', async (say) => {
      say(`demo-ecs: drains ${id}`);
      await vi.waitFor(() => expect(drawn.join('')).toContain('drains'));
    });
  } finally {
    write.mockRestore();
    Object.assign(stderr, before);
    vi.unstubAllEnvs();
  }
  expect(stripVTControlCharacters(drawn.join(''))).toMatch(
    /Function is rolling: demo-ecs: drains\n *i-0123456789abcdef0/,
  );
});
