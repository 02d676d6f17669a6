import type { Mutation } from '../mutation.ts';

/** How old members leave their group, and what must be there before. */
export const RULES_OF_REPLACEMENT: readonly Mutation[] = [
  {
    rule: 'an instance of a warm pool is ended only while it is there',
    harm: 'A scale-out has just taken it into service, with tasks on it.',
    find: 'if (left.length > 0) throw new StaleObservation(`${left.join(',
    replace: 'if (left.length < 0) throw new StaleObservation(`${left.join(',
  },
  {
    rule: 'the tags stand before the detach',
    harm: 'An instance that is detached when the function is killed is nobody’s, and stays for ever.',
    find: "detach(group, batch, [{ kind: 'mark-instances', instanceIds: idsOf(batch), mark }])",
    replace: 'detach(group, batch)',
  },
  {
    rule: 'a batch is detached only from a group that is whole',
    harm: 'Batch follows upon batch though no replacement comes, until no instance is left to run a task.',
    find: 'if (batch.length === 0 || waiting !== undefined) {',
    replace: 'if (batch.length === 0) {',
  },
  {
    rule: 'the next batch waits until the one before is gone',
    harm: 'There are twice as many instances as may be, or as the account allows.',
    file: 'detach.ts',
    find: 'if (drifted.length === 0 || others.length + detaching.length > 0) return undefined;',
    replace: 'if (drifted.length === 0) return undefined;',
  },
  {
    rule: 'a batch is no larger than the surge',
    harm: 'There are more instances at once than the owner pays for.',
    find: 'detachable.slice(0, most);',
    replace: 'detachable;',
  },
  {
    rule: 'instances whose drain was given up take up room of the surge',
    harm: 'Every instance that can’t be drained adds one more than may be.',
    find: 'surgeCount(settings.maxSurge, group.members.length) - givenUp.length',
    replace: 'surgeCount(settings.maxSurge, group.members.length)',
  },
  {
    rule: 'only members that are InService or in Standby are detached',
    harm: 'AWS refuses the whole call for one that is Pending, and the roll stands still.',
    find: "return lifecycleState === 'InService' || lifecycleState === 'Standby';",
    replace: "return lifecycleState !== '';",
  },
  {
    rule: 'at most 20 instances are detached in one call',
    harm: 'AWS refuses a call with 21, and a group of that size is never rolled.',
    find: 'DETACH_BATCH = 20',
    replace: 'DETACH_BATCH = 21',
  },
  {
    rule: 'without a surge no more members go at once than may drain',
    harm: 'The group loses the room of many instances at once, and tasks have nowhere to go.',
    find: 'idleFirst(emptiestFirst(running, observation), observation).slice(0, most)',
    replace: 'idleFirst(emptiestFirst(running, observation), observation)',
  },
  {
    rule: 'without a surge the next members wait until the group is whole',
    harm: 'Members go though those before them were never replaced, until none is left.',
    file: 'in-place.ts',
    find: '  if (waiting !== undefined) return waiting;\n',
    replace: '',
  },
  {
    rule: 'a member that something sends requests to stays until another serves',
    harm: 'A detached instance stops serving at once, and the target group serves from too few.',
    find: 'return group.trafficSources.length > 0 ||',
    replace: 'return group.trafficSources.length > 9 ||',
  },
  {
    rule: 'a replacement counts only once its target groups find it healthy',
    harm: 'The old ones leave the target group before the new ones serve.',
    find: '  return unserved(instanceId, group).flatMap(lack);',
    replace: '  return unserved(instanceId, group).flatMap(() => []);',
  },
  {
    rule: 'a replacement counts only once its agent is connected',
    harm: 'Old instances drain while nothing can start the tasks elsewhere.',
    find: "  if (!registered.agentConnected) return lack({ kind: 'member-disconnected', instanceId });\n",
    replace: '',
  },
  {
    rule: 'a replacement counts only once it is registered in the cluster',
    harm: 'Old instances drain while the new ones are not known to ECS, and tasks have nowhere to go.',
    find: "return lack({ kind: 'member-unregistered', instanceId });",
    replace: 'return [];',
  },
  {
    rule: 'a group is whole only with as many members as are desired',
    harm: 'Old instances drain though Auto Scaling could not launch others.',
    find: '...(launched < group.desiredCapacity ? [missing(group, classified, launched)] : []),',
    replace: '',
  },
  {
    rule: 'a replacement that is Pending is waited for',
    harm: 'Old instances drain before the lifecycle hooks have made the new ones ready.',
    file: 'readiness.ts',
    find: "if (member.lifecycleState !== 'InService')",
    replace: "if (member.lifecycleState === '')",
  },
  {
    rule: 'AZRebalance is suspended while a group is uneven',
    harm: 'Auto Scaling ends members undrained to even out the zones.',
    find: "['AZRebalance', 'InstanceRefresh'] as const",
    replace: "['InstanceRefresh'] as const",
  },
  {
    rule: 'instances of the warm pool are marked in one look and ended in a later one',
    harm: 'One that a scale-out takes into service meanwhile is ended with its tasks.',
    find: "actions: [{ kind: 'mark-instances', instanceIds: idsOf(unmarked), mark }],",
    replace:
      "actions: [{ kind: 'mark-instances', instanceIds: idsOf(unmarked), mark }, { kind: 'terminate', instanceIds: idsOf(unmarked) }],",
  },
  {
    rule: 'the first batch is as small as a canary',
    harm: 'An image that is bad is rolled onto the whole group before anybody can tell.',
    find: 'Math.min(most, settings.canary)',
    replace: 'Math.max(most, settings.canary)',
  },
  {
    rule: 'a service that crashed on the first batch and lacks tasks keeps it from passing',
    harm: 'ECS starts what crashes ever less often, and a trial passes in between.',
    find: ' ?? crashOfLacking(assessment);',
    replace: ';',
  },
  {
    rule: 'nothing is proved by an instance that carries no task',
    harm: 'The trial passes before a task has come to the new image.',
    find: 'const isIdle = !carriesTasks(ids, observation);',
    replace: 'const isIdle = false;',
  },
  {
    rule: 'what crashed on a replacement that is gone acquits nobody',
    harm: 'The instance that takes the place of a canary which died passes its trial, though tasks crash there.',
    find: 'return given.length > 0 ? !given.includes(imageId) : launchedAt < roll.startedAt;',
    replace: 'return given.length > 0 || launchedAt < roll.startedAt;',
  },
  {
    rule: 'the rest waits until the replacements of the first batch have baked',
    harm: 'The trial is over before a fault can show.',
    find: 'if (isReady && isOver(since, provenAfter, observation.now))',
    replace: 'if (isReady)',
  },
  {
    rule: 'tasks that crash on the replacements are a fault of the trial',
    harm: 'A trial is passed by an image on which no task stays up.',
    find: '...(crash === undefined ? [] : [crashed(crashFacts(crash, observation))]),',
    replace: '',
  },
  {
    rule: 'replacements on which tasks go on crashing turn the roll back',
    harm: 'The roll goes on for ever onto an image that runs no task.',
    find: '!isOver(last.at, quietSeconds(settings), now) || services.some((service) => isShortOf(service, last))',
    replace: 'false',
  },
];
