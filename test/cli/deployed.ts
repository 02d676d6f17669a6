import { BESIDE_ENVIRONMENT } from '../../lambda/contract.ts';
import { environmentAt } from '../demo/settings.ts';
import { serveOurs } from '../serve/ours.ts';
import { arnOf, type Front, HISTORY, openFront } from './front.ts';
import { type Ran, type Running, run, start } from './run.ts';

/** A simulated AWS with our functions in it, and the command line pointed at it. */
export interface Deployed {
  readonly front: Front;
  command(...line: string[]): Promise<Ran>;
  begin(...line: string[]): Running;
  json(...line: string[]): Promise<{ status: number | null; notes: string; told: ToldJson }>;
  /** As it was at first. */
  restore(): void;
  end(): Promise<void>;
}

/** What a command answers to a program, as far as tests look at it. */
export interface ToldJson {
  readonly source?: string;
  readonly function?: string;
  readonly groups: readonly { readonly cluster: string; readonly state: string }[];
}

/** @param line options of the simulated AWS */
export async function deploy(speed: number, ...line: string[]): Promise<Deployed> {
  const served = await serveOurs('--speed', String(speed), ...line);
  const front = await openFront(served.url);
  const command = (...words: string[]) => run(['--endpoint', front.url, ...words]);
  const deployed: Deployed = {
    front,
    command,
    begin: (...words) => start(['--endpoint', front.url, ...words]),
    async json(...words) {
      const { out, ...rest } = await command(...words, '--json');
      return { ...rest, told: JSON.parse(out) };
    },
    restore() {
      const environment = { ...environmentAt(speed), EVENT_BUS: 'default' };
      const beside = {
        [BESIDE_ENVIRONMENT.history]: HISTORY,
        [BESIDE_ENVIRONMENT.orders]: arnOf('Platform-Orders'),
      };
      const stack = 'Platform';
      front.functions.splice(
        0,
        front.functions.length,
        { name: 'Platform-Function', role: 'roll', stack, environment: { ...environment, ...beside } },
        { name: 'Platform-Orders', role: 'orders', stack, environment },
      );
      front.events.splice(0);
      front.busy = false;
      front.endless = false;
      front.keyDenied = false;
    },
    async end() {
      await front.end();
      await served.end();
    },
  };
  deployed.restore();
  return deployed;
}
