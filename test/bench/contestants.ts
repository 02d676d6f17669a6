import { TRUE_DEFAULTS } from '../rollout/stage.ts';
import type { Roller } from '../strangers/roller.ts';
import { ancestor } from '../strangers/rollers/ancestor.ts';
import { rolling, scaleOutByOne } from '../strangers/rollers/bouncer.ts';
import type { BenchCluster } from './clusters.ts';
import { instanceRefresh } from './rollers/instance-refresh.ts';
import { plain } from './rollers/plain.ts';

interface Common {
  readonly name: string;
  /** How many instances it drains at once, for what it is compared with. Default: one. */
  readonly atOnce?: number;
  /** Which clusters it rolls. Default: all. */
  readonly rolls?: (cluster: BenchCluster) => boolean;
}

/** This project, with the environment that makes the variant. */
export interface Ours extends Common {
  readonly kind: 'ours';
  readonly environment: Readonly<Record<string, string>>;
}

/** Somebody else's way. */
export interface Other extends Common {
  readonly kind: 'other';
  readonly source: string;
  readonly roller: (seed: number) => Pick<Roller, 'roll'>;
  /** ECS drains what the group ends. */
  readonly managedDraining?: true;
  /** AWS itself makes its calls, so that they count for nobody. */
  readonly callsAreAwsOwn?: true;
}

export type Contestant = Ours | Other;

const DRAINING =
  'https://docs.aws.amazon.com/AmazonECS/latest/developerguide/container-instance-draining.html';
const BOUNCER = 'https://github.com/palantir/bouncer';

/** Most instances that rolls are made of which drain one after the other: larger ones take days. */
const MOST_ONE_BY_ONE = 250;
const FIVE_FROM = 250;

const oneByOne = ({ instances }: BenchCluster) => instances <= MOST_ONE_BY_ONE;
const inFives = ({ instances }: BenchCluster) => instances >= FIVE_FROM;
const scalesItself = ({ managedScaling }: BenchCluster) => managedScaling !== true;

/** By what it is called in results; the oracles first, since the others are compared with them. */
export const CONTESTANTS: readonly Contestant[] = [
  oracle('oracle', 1, oneByOne),
  oracle('oracle, 5 at once', 5, inFives),
  ours('ours, CANARY=0', { CANARY: '0' }, { rolls: oneByOne }),
  ours('ours', { ...TRUE_DEFAULTS }, { rolls: oneByOne }),
  ours(
    'ours, DRAIN_CONCURRENCY=5',
    { ...TRUE_DEFAULTS, DRAIN_CONCURRENCY: '5' },
    { rolls: inFives, atOnce: 5 },
  ),
  ours(
    'ours, CANARY=0, DRAIN_CONCURRENCY=5',
    { CANARY: '0', DRAIN_CONCURRENCY: '5' },
    { rolls: inFives, atOnce: 5 },
  ),
  // Compared with one drain at a time, of which they tell how much less is enough.
  ours('ours, DRAIN_CONCURRENCY=auto', { ...TRUE_DEFAULTS, DRAIN_CONCURRENCY: 'auto' }, {}),
  ours('ours, CANARY=0, DRAIN_CONCURRENCY=auto', { CANARY: '0', DRAIN_CONCURRENCY: 'auto' }, {}),
  other('plain, looks every 15 s', DRAINING, plain({ everySeconds: 15, atOnce: 1 }), { rolls: oneByOne }),
  other('plain, 5 at once, every 15 s', DRAINING, plain({ everySeconds: 15, atOnce: 5 }), {
    rolls: inFives,
    atOnce: 5,
  }),
  other('ancestor', 'https://github.com/silinternational/ecs-ami-deploy', () => ancestor, {
    rolls: oneByOne,
  }),
  other('scale out and in, one by one', 'https://github.com/deitch/aws-asg-roller', () => scaleOutByOne, {
    rolls: (cluster) => oneByOne(cluster) && scalesItself(cluster),
  }),
  other(
    'instance refresh 100/110',
    'https://docs.aws.amazon.com/autoscaling/ec2/userguide/instance-refresh-overview.html',
    () => instanceRefresh,
    { managedDraining: true, callsAreAwsOwn: true, rolls: scalesItself },
  ),
  other('terminate in group', BOUNCER, () => rolling, {
    rolls: (cluster) => oneByOne(cluster) && scalesItself(cluster),
  }),
];

/** Whom a contestant is compared with. */
export const oracleOf = ({ atOnce = 1 }: Contestant) =>
  atOnce === 1 ? 'oracle' : `oracle, ${atOnce} at once`;

function ours(
  name: string,
  environment: Ours['environment'],
  common: Pick<Common, 'atOnce' | 'rolls'>,
): Ours {
  return { kind: 'ours', name, environment, ...common };
}

function other(
  name: string,
  source: string,
  roller: Other['roller'],
  rest: Omit<Partial<Other>, 'kind' | 'name'>,
): Other {
  return { kind: 'other', name, source, roller, ...rest };
}

function oracle(name: string, atOnce: number, rolls: Common['rolls']): Other {
  return other(name, DRAINING, plain({ everySeconds: 2, atOnce }), { atOnce, ...(rolls && { rolls }) });
}
