import type { Mutation } from '../mutation.ts';

/** An EC2 instance that ECS knows by several container instances, or by none that works. */
export const RULES_OF_REGISTRATIONS: readonly Mutation[] = [
  {
    rule: 'the registration that its agent is connected to goes last',
    harm: 'A kill leaves an earlier registration with tasks and no agent, and the roll waits for them forever.',
    find: 'const isLeft = isDoubtful || hasTasks(',
    replace: 'const isLeft = hasTasks(',
  },
  {
    rule: 'a registration is abandoned only once the agent is connected to another',
    harm: 'Running tasks count as gone while an agent reconnects.',
    find: 'other.arn !== arn && other.agentConnected && isHost(other)',
    replace: 'other.arn !== arn && isHost(other)',
  },
  {
    rule: 'an instance is ready if the registration its agent is connected to is',
    harm: 'A good replacement that registered twice is rolled back, and its image rejected.',
    find: 'return drains ?? active(connected) ?? active(registrations)',
    replace: 'return drains ?? active(registrations)',
  },
  {
    rule: 'an instance is empty only once all its registrations drain',
    harm: 'It is terminated while its agent takes tasks under another registration.',
    find: ' || undrainedOf(candidate).length > 0) return false;\n  return remainingOn',
    replace: ') return false;\n  return remainingOn',
  },
  {
    rule: "the tasks of all an instance's registrations count",
    harm: "The dead registration looks empty, and the instance is terminated under the other's tasks.",
    find: 'const found = registrations.flatMap(',
    replace: 'const found = registrations.slice(0, 1).flatMap(',
  },
  {
    rule: 'an instance that is about to register again is waited for before it ends',
    harm: 'Tasks that come with the new registration are lost.',
    find: '        hasWaited(candidate, observation, settings) &&\n',
    replace: '',
  },
  {
    rule: 'an instance that registered twice counts once among the draining',
    harm: 'Fewer instances drain at once than allowed.',
    find: 'return [...new Set(registrations.map(({ instanceId }) => instanceId))];',
    replace: 'return registrations.map(({ instanceId }) => instanceId);',
  },
  {
    rule: 'an abandoned registration is no place for tasks',
    harm: 'An instance drains although its tasks fit only on a dead one.',
    find: "(each) => each.status === 'ACTIVE' && !each.managed && !isForsaken(each, observation),",
    replace: "(each) => each.status === 'ACTIVE' && !each.managed,",
  },
];
