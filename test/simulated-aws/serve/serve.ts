import { type SimulatedAccount, simulateAccount } from '../account/account.ts';
import { type Clock, spedUpClock } from '../clock/clock.ts';
import { inPlace, OF_ANYBODY } from '../invariants/anybody.ts';
import { watchInvariants } from '../invariants/invariants.ts';
import { createWorld, type World } from '../world/world.ts';
import { furnish, letDie } from './furnish.ts';
import type { Judged, Own, ServeOptions } from './options.ts';
import { type Report, reportOf, reportText } from './report.ts';

/** As with real lapses, no two are quite alike. */
const JITTER_FRACTION = 0.2;

/** How many reads may be behind the last write. */
const LAG_SHARE = 0.5;

export interface Served {
  /** What `AWS_ENDPOINT_URL` has to be. */
  readonly url: string;
  /** Closes the port, and judges what is there as what the roll has come to. */
  end(): Promise<{ readonly text: string; readonly held: boolean }>;
}

/** @throws Error when the port can't be had, or there is no such roller */
export async function serve(options: ServeOptions, own?: Pick<Own, 'rollers'>): Promise<Served> {
  const { speed, seed, account: id, region, port, cluster } = options;
  const clock = spedUpClock(speed);
  const delays = { jitterFraction: JITTER_FRACTION };
  const world = createWorld({ clock, seed, account: id, region, delays, hmacKeyAlias: options.hmacKey });
  const scenario = furnish(world, options);
  const account = troubled(clock, world, options);
  const judged = judgedIn(options, own?.rollers);
  const invariants = watchInvariants(world, judged.expectations, judged.invariants);
  letDie(world, scenario, options);

  const judgement = { cluster, account, invariants, own: judged.invariants };
  const report = (isOver = false): Report => reportOf(judgement, isOver);
  const { url, close } = await account.listen(port, {
    '/_report': () => ({ contentType: 'application/json', body: JSON.stringify(report()) }),
    '/_report.txt': () => ({ contentType: 'text/plain; charset=utf-8', body: reportText(report()) }),
  });
  return {
    url,
    async end() {
      await close();
      if (report().changed) invariants.checkFinished();
      const last = report(true);
      return { text: reportText(last), held: last.held };
    },
  };
}

function judgedIn(options: ServeOptions, rollers: Own['rollers'] = {}): Judged {
  const { cluster, roller, inPlace: missing } = options;
  const anybody: Judged = { expectations: OF_ANYBODY, invariants: [] };
  const judged = roller === 'anybody' ? anybody : rollers[roller];
  if (judged === undefined) throw new Error(`no roller ${roller}`);
  const { expectations, invariants } = judged;
  return {
    expectations: { ...expectations, ...(missing > 0 && inPlace(missing)), clusters: [cluster] },
    invariants,
  };
}

function troubled(clock: Clock, { operations }: World, options: ServeOptions): SimulatedAccount {
  const { region, seed, throttling, serverErrors, lostAnswers, lagSeconds } = options;
  return simulateAccount({
    clock,
    operations,
    region,
    seed,
    throttling: { buckets: throttling },
    faults: { serverErrors: serverErrors / 100, lostAnswers: lostAnswers / 100 },
    ...(lagSeconds > 0 && { lag: { seconds: lagSeconds, share: LAG_SHARE, seed } }),
  });
}
