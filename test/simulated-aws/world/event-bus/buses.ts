/** An event bus, and what came to it, first to last. */
export interface EventBus {
  readonly name: string;
  readonly arn: string;
  readonly events: BusEvent[];
  /** Hears each event that comes, as the target of a rule does. */
  readonly targets: ((event: BusEvent) => void)[];
}

/** An event as a rule's target gets it, apart from its envelope. */
export interface BusEvent {
  readonly id: string;
  readonly atMs: number;
  readonly source: string;
  readonly detailType: string;
  /** As it was given: a JSON object. */
  readonly detail: string;
}

/** Each account has one from the beginning. */
export function createEventBuses({
  account,
  region,
}: {
  readonly account: string;
  readonly region: string;
}): Map<string, EventBus> {
  const name = 'default';
  return new Map([
    [name, { name, arn: `arn:aws:events:${region}:${account}:event-bus/${name}`, events: [], targets: [] }],
  ]);
}

/** By name or ARN. */
export function findEventBus(buses: ReadonlyMap<string, EventBus>, nameOrArn: string): EventBus | undefined {
  return buses.get(nameOrArn) ?? [...buses.values()].find(({ arn }) => arn === nameOrArn);
}
