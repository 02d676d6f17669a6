import type { Mutation } from '../mutation.ts';

/** An EC2 instance that ECS knows by several container instances, or by none that works. */
export const RULES_OF_REGISTRATIONS: readonly Mutation[] = [
  {
    rule: 'the registration that an agent is connected to goes last of all',
    harm: 'A kill leaves a former registration with tasks and no agent, and the roll waits for these for ever.',
    find: 'const isLeft = isDoubtful || hasTasks(',
    replace: 'const isLeft = hasTasks(',
  },
  {
    rule: 'a forsaken registration goes with its instance',
    harm: 'It stays registered for ever, ACTIVE and without an instance.',
    find: "if (isForsaken(containerInstance, observation))\n      return [{ kind: 'deregister', containerInstance, mayStay: true }];",
    replace: 'if (isForsaken(containerInstance, observation)) return [];',
  },
  {
    rule: 'a registration that failed goes with its instance where no agent is connected to it',
    harm: 'It stays registered for ever, as ECS deregisters by itself only what it is connected to.',
    find: 'return hasFailed(containerInstance) && !containerInstance.agentConnected;',
    replace: 'return false;',
  },
  {
    rule: 'a registration is forsaken only once the agent is connected to another',
    harm: 'Tasks that run count as gone while an agent reconnects.',
    find: 'other.arn !== arn && other.agentConnected && isHost(other)',
    replace: 'other.arn !== arn && isHost(other)',
  },
  {
    rule: 'an instance is ready by the registration that its agent is connected to',
    harm: 'A good replacement that registered twice is rolled back, and its image rejected.',
    find: 'return drains ?? active(connected) ?? active(registrations)',
    replace: 'return drains ?? active(registrations)',
  },
  {
    rule: 'an instance is empty only once all that it is registered as drains',
    harm: 'It is ended while its agent takes tasks under another registration.',
    find: 'undrainedOf(candidate).length === 0 && ',
    replace: '',
  },
  {
    rule: 'the tasks of all that an instance is registered as count',
    harm: 'The dead registration looks empty, and the instance is ended under the tasks of the other.',
    find: 'const arns = new Set(registrations.map(',
    replace: 'const arns = new Set(registrations.slice(0, 1).map(',
  },
  {
    rule: 'an instance is cut off only when no agent is connected to any of its registrations',
    harm: 'One that has registered anew is never ended.',
    find: 'hosts.every(({ agentConnected }) => !agentConnected)',
    replace: 'hosts.some(({ agentConnected }) => !agentConnected)',
  },
  {
    rule: 'what is about to register anew is waited for before its instance ends',
    harm: 'Tasks that come with the new registration are lost.',
    find: '        hasWaited(candidate, observation, settings) &&\n',
    replace: '',
  },
  {
    rule: 'an instance that registered twice drains as one',
    harm: 'Fewer instances drain at once than may.',
    find: 'return [...new Set(registrations.map(({ instanceId }) => instanceId))];',
    replace: 'return registrations.map(({ instanceId }) => instanceId);',
  },
  {
    rule: 'a forsaken registration is no place for tasks',
    harm: 'An instance drains whose tasks fit nowhere but on what is dead.',
    find: "(each) => each.status === 'ACTIVE' && !isForsaken(each, observation),",
    replace: "(each) => each.status === 'ACTIVE',",
  },
];
