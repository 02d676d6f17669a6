import type { Clock } from '../clock.ts';
import type { Group, LaunchConfiguration } from './autoscaling/model.ts';
import { DEFAULT_DELAYS, type Delay, type Delays } from './delays.ts';
import type { Image, Instance, LaunchTemplate } from './ec2/model.ts';
import type { CapacityProvider, Cluster } from './ecs/model.ts';
import { createLoadBalancing, type LoadBalancing } from './elastic-load-balancing/model.ts';
import type { Listener, WorldEvent } from './events.ts';
import { createIds, createRandom, type Ids } from './random.ts';
import type { Parameter } from './ssm/parameters.ts';

/** All that the simulated account holds, and how its parts tell each other what happens. */
export interface State {
  readonly clock: Clock;
  readonly account: string;
  readonly region: string;
  readonly ids: Ids;
  readonly images: Map<string, Image>;
  readonly parameters: Map<string, Parameter>;
  readonly instances: Map<string, Instance>;
  readonly launchTemplates: Map<string, LaunchTemplate>;
  readonly launchConfigurations: Map<string, LaunchConfiguration>;
  readonly groups: Map<string, Group>;
  readonly clusters: Map<string, Cluster>;
  /** Those that somebody made; FARGATE and FARGATE_SPOT are there by themselves. */
  readonly capacityProviders: Map<string, CapacityProvider>;
  readonly loadBalancing: LoadBalancing;
  /** Accounts made since 2024-10-01 can't create any. */
  allowsLaunchConfigurations: boolean;
  /** Does `event` after the named lapse; where that is 0, once what happens now is over. */
  after(delay: Delay, event: () => void): void;
  emit(event: WorldEvent): void;
  subscribe(listener: Listener): () => void;
}

export interface WorldOptions {
  readonly clock: Clock;
  readonly seed: number;
  readonly delays?: Partial<Delays>;
  readonly account?: string;
  readonly region?: string;
}

export function createState(options: WorldOptions): State {
  const { clock, seed } = options;
  const delays = { ...DEFAULT_DELAYS, ...options.delays };
  const random = createRandom(seed);
  const listeners = new Set<Listener>();
  const lapseSeconds = (delay: Delay) => delays[delay] * (1 + delays.jitterFraction * (2 * random() - 1));
  return {
    clock,
    account: options.account ?? '123456789012',
    region: options.region ?? 'eu-central-1',
    ids: createIds(createRandom(seed)),
    images: new Map(),
    parameters: new Map(),
    instances: new Map(),
    launchTemplates: new Map(),
    launchConfigurations: new Map(),
    groups: new Map(),
    clusters: new Map(),
    capacityProviders: new Map(),
    loadBalancing: createLoadBalancing(),
    allowsLaunchConfigurations: true,
    after(delay, event) {
      clock.schedule(lapseSeconds(delay), event);
    },
    emit(event) {
      for (const listener of listeners) listener(event);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
