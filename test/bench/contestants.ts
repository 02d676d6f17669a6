import { TRUE_DEFAULTS } from '../rollout/stage.ts';
import type { Roller } from '../strangers/roller.ts';
import { ancestor } from '../strangers/rollers/ancestor.ts';
import { rolling, scaleOutByOne } from '../strangers/rollers/bouncer.ts';
import type { BenchCluster } from './clusters.ts';
import { instanceRefresh } from './rollers/instance-refresh.ts';
import { plain } from './rollers/plain.ts';

interface Common {
  readonly name: string;
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

const oneByOne = ({ instances }: BenchCluster) => instances <= MOST_ONE_BY_ONE;
const scalesItself = ({ managedScaling }: BenchCluster) => managedScaling !== true;

/** The others are compared with it. */
export const ORACLE = 'oracle';

/** By what it is called in results. */
export const CONTESTANTS: readonly Contestant[] = [
  other(ORACLE, DRAINING, plain(2), { rolls: oneByOne }),
  ours('ours, CANARY=0', { CANARY: '0' }, oneByOne),
  ours('ours', { ...TRUE_DEFAULTS }, oneByOne),
  ours('ours, DRAIN_CONCURRENCY=auto', { ...TRUE_DEFAULTS, DRAIN_CONCURRENCY: 'auto' }),
  ours('ours, CANARY=0, DRAIN_CONCURRENCY=auto', { CANARY: '0', DRAIN_CONCURRENCY: 'auto' }),
  other('plain, looks every 15 s', DRAINING, plain(15), { rolls: oneByOne }),
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

/** The ways that the README compares, and by what they are called where there is little room. */
export const CHOSEN: Readonly<Record<string, string>> = {
  ours: 'one instance at a time',
  'ours, DRAIN_CONCURRENCY=auto': 'drainConcurrency=auto',
  'instance refresh 100/110': 'instance refresh',
  ancestor: 'the ancestor',
};

export const isChosen = ({ name }: Contestant) => name in CHOSEN;

function ours(name: string, environment: Ours['environment'], rolls?: Common['rolls']): Ours {
  return { kind: 'ours', name, environment, ...(rolls && { rolls }) };
}

function other(
  name: string,
  source: string,
  roller: Other['roller'],
  rest: Omit<Partial<Other>, 'kind' | 'name'>,
): Other {
  return { kind: 'other', name, source, roller, ...rest };
}
