import type { Group } from '../model/group.ts';
import { sourcesOf } from '../model/launch.ts';
import type { Observation } from '../model/observation.ts';
import type { Warning } from '../reasons/warnings.ts';

/** A family of ECS-optimized images whose support ends on a date, though images may still come out. */
interface Ending {
  readonly names: RegExp;
  readonly family: string;
  readonly endsAt: string;
  readonly next: string;
}

/**
 * https://aws.amazon.com/amazon-linux-2/faqs/, https://learn.microsoft.com/lifecycle/products/windows-server-2016 and -2019
 */
const ENDINGS: readonly Ending[] = [
  { names: /^amzn2-ami-ecs-/, family: 'Amazon Linux 2', endsAt: '2026-06-30', next: 'Amazon Linux 2023' },
  windows('2016', '2027-01-12'),
  windows('2019', '2029-01-09'),
];

function windows(year: string, endsAt: string): Ending {
  const names = new RegExp(`^Windows_Server-${year}-`);
  return { names, family: `Windows Server ${year}`, endsAt, next: 'a later one' };
}

/** Warns of a group on the last image of an ended family: it would look up to date for ever. */
export function warnOfEndOfLife({ launch }: Group, { now }: Observation): Warning[] {
  const names = sourcesOf(launch).map(({ target }) => target.name);
  return ENDINGS.filter(
    (each) => new Date(each.endsAt) <= now && names.some((name) => each.names.test(name)),
  ).map(({ family, endsAt, next }) => ({ code: 'family-ended', family, endsAt, next }));
}
