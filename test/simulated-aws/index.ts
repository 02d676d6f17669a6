/** The simulated AWS as a library: see README.md. */
export { type AccountOptions, type SimulatedAccount, simulateAccount } from './account/account.ts';
export { type Call, type CallRecord, type Interceptor, Killed, LostAnswer } from './account/call.ts';
export { type ClientOptions, retryOnClock } from './account/client-options.ts';
export { AwsError, type Operation, on, type Service } from './account/operation.ts';
export { retrying } from './account/retrying.ts';
export type { Session, SessionOptions } from './account/session.ts';
export { shortcut } from './account/shortcut.ts';
export { type Clock, spedUpClock, type VirtualClock, virtualClock } from './clock/clock.ts';
export { type PacedClock, pacedClock } from './clock/paced-clock.ts';
export type { Permissions } from './iam/permissions.ts';
export type { PolicyDocument, Statement } from './iam/policy.ts';
export { inPlace, OF_ANYBODY } from './invariants/anybody.ts';
export { describeBreach, describeBreaches } from './invariants/breaches.ts';
export { customsByTags } from './invariants/by-tags.ts';
export { ANYBODYS_CUSTOMS, type Customs } from './invariants/customs.ts';
export {
  type Expectations,
  type GroupReport,
  type Invariants,
  type Metrics,
  type Violation,
  watchInvariants,
} from './invariants/invariants.ts';
export type { OwnInvariant } from './invariants/own.ts';
export { type FaultShares, killAfter, killBefore, loseAnswer, randomFaults } from './weather/faults.ts';
export { laggingTags } from './weather/iam-lag.ts';
export type { Lag } from './weather/lag.ts';
export type { Throttling } from './weather/throttling.ts';
export type { Endpoint } from './wire/listen.ts';
export { directCalls } from './world/direct-calls.ts';
export type { Cause, Listener, WorldEvent } from './world/events.ts';
export { resourceFacts } from './world/resource-facts.ts';
export { type Scenario, type ScenarioOptions, standardScenario } from './world/scenario.ts';
export type { State, WorldOptions } from './world/state.ts';
export { createWorld, type World } from './world/world.ts';
