import type { Smoke } from './smoke.ts';

export class TookTooLong extends Error {
  override readonly name = 'TookTooLong';

  constructor(what: string, seconds: number) {
    super(`${what}: not within ${Math.round(seconds / 60)} minutes`);
  }
}

interface Patience {
  readonly what: string;
  readonly seconds: number;
  /** Between two looks. */
  readonly everySeconds: number;
}

/** What `look` finds, once it finds something. @throws TookTooLong */
export async function until<Found>(
  { clock }: Pick<Smoke, 'clock'>,
  { what, seconds, everySeconds }: Patience,
  look: () => Promise<Found | undefined>,
): Promise<Found> {
  const last = clock.now() + seconds * 1000;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (clock.now() >= last) throw new TookTooLong(what, seconds);
    await clock.sleep(everySeconds);
  }
}

/** The same of something that is so or isn't; answers how many seconds it took. */
export async function secondsUntil(
  smoke: Pick<Smoke, 'clock'>,
  patience: Patience,
  holds: () => Promise<boolean>,
): Promise<number> {
  const begun = smoke.clock.now();
  await until(smoke, patience, async () => ((await holds()) ? true : undefined));
  return (smoke.clock.now() - begun) / 1000;
}

/** For what may be gone already: an error of one of these names means that there is none. */
export async function unlessGone<Found>(
  names: readonly string[],
  attempt: () => Promise<Found>,
): Promise<Found | undefined> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof Error && names.includes(error.name)) return undefined;
    throw error;
  }
}
