import type { Mutation } from '../mutation.ts';

/** How old members leave their group, and what must exist before. */
export const RULES_OF_REPLACEMENT: readonly Mutation[] = [
  {
    rule: 'a warm-pool instance is terminated only while it is in the pool',
    harm: 'A scale-out has just put it into service, with tasks on it.',
    find: 'if (left.length > 0) throw new StaleObservation(`${left.join(',
    replace: 'if (left.length < 0) throw new StaleObservation(`${left.join(',
  },
  {
    rule: 'the tags are written before the detach',
    harm: 'An instance that is detached when the function is killed belongs to nobody, and stays forever.',
    find: "detach(group, batch, [{ kind: 'mark-instances', instanceIds: idsOf(batch), mark }])",
    replace: 'detach(group, batch)',
  },
  {
    rule: 'a batch is detached only from a group that is whole',
    harm: 'Batch follows batch although no replacement comes, until no instance is left to run a task.',
    find: 'if (batch.length === 0 || waiting !== undefined) {',
    replace: 'if (batch.length === 0) {',
  },
  {
    rule: 'the next batch waits until the last one is gone',
    harm: "There are twice as many instances as allowed, or as the account's limit allows.",
    file: 'detach.ts',
    find: 'if (drifted.length === 0 || others.length + detaching.length > 0) return undefined;',
    replace: 'if (drifted.length === 0) return undefined;',
  },
  {
    rule: 'instances whose drain was given up take up room in the surge',
    harm: "Every instance that can't be drained adds one more than allowed.",
    find: 'const taken = givenUp.length + perhapsDetached(group);',
    replace: 'const taken = perhapsDetached(group);',
  },
  {
    rule: 'only members that are InService or in Standby are detached',
    harm: 'AWS refuses the whole call because of one Pending member, and the roll gets stuck.',
    find: "return lifecycleState === 'InService' || lifecycleState === 'Standby';",
    replace: "return lifecycleState !== '';",
  },
  {
    rule: 'at most 20 instances are detached in one call',
    harm: 'AWS refuses a call with 21, and a group of that size never rolls.',
    find: 'DETACH_BATCH = 20',
    replace: 'DETACH_BATCH = 21',
  },
  {
    rule: 'without a surge the next members wait until the group is whole',
    harm: 'Members go although those before them were never replaced, until none are left.',
    file: 'in-place.ts',
    find: '  if (waiting !== undefined) return waiting;\n',
    replace: '',
  },
  {
    rule: 'a member that gets requests stays until another one serves',
    harm: 'A detached instance stops serving at once, and the target group serves from too few.',
    find: 'return group.trafficSources.length > 0 ||',
    replace: 'return group.trafficSources.length > 9 ||',
  },
  {
    rule: 'a replacement counts only once its target groups find it healthy',
    harm: 'The old ones leave the target group before the new ones serve.',
    find: '  return unserved(instanceId, group).flatMap(',
    replace: '  return unserved(instanceId, group).slice(99).flatMap(',
  },
  {
    rule: 'a member that is the last of a zone served apart leaves only once the zone has another',
    harm: 'Who is sent to that zone gets no answer.',
    find: '  if (staying.length === 0) return undefined;',
    replace: '  if (staying.length < 99) return undefined;',
  },
  {
    rule: 'a replacement counts only once its agent is connected',
    harm: 'Old instances drain while nothing can start the tasks elsewhere.',
    find: "  if (!registered.agentConnected) return lack({ kind: 'member-disconnected', instanceId });\n",
    replace: '',
  },
  {
    rule: 'a replacement counts only once it is registered in the cluster',
    harm: 'Old instances drain before ECS knows the new ones, and tasks have nowhere to go.',
    find: "return lack({ kind: 'member-unregistered', instanceId });",
    replace: 'return [];',
  },
  {
    rule: 'a group is whole only with as many members as desired',
    harm: 'Old instances drain although Auto Scaling could not launch others.',
    find: '...(launched < group.desiredCapacity ? [missing(group, classified, launched)] : []),',
    replace: '',
  },
  {
    rule: 'a Pending replacement is waited for',
    harm: 'Old instances drain before the lifecycle hooks have prepared the new ones.',
    file: 'readiness.ts',
    find: "if (member.lifecycleState !== 'InService')",
    replace: "if (member.lifecycleState === '')",
  },
  {
    rule: 'AZRebalance is suspended while a group is uneven',
    harm: 'Auto Scaling terminates members undrained to even out the zones.',
    find: "['AZRebalance', 'InstanceRefresh'] as const",
    replace: "['InstanceRefresh'] as const",
  },
  {
    rule: 'warm-pool instances are marked in one look and terminated in a later one',
    harm: 'One that a scale-out puts into service meanwhile is terminated with its tasks.',
    find: "actions: [{ kind: 'mark-instances', instanceIds: idsOf(unmarked), mark }],",
    replace:
      "actions: [{ kind: 'mark-instances', instanceIds: idsOf(unmarked), mark }, { kind: 'terminate', instanceIds: idsOf(unmarked) }],",
  },
  {
    rule: 'a first batch fails if a service crashed on it and lacks tasks',
    harm: 'ECS restarts a crashing task ever less often, and a trial passes in between.',
    find: ' ?? crashOfLacking(assessment);',
    replace: ';',
  },
  {
    rule: 'an instance without tasks proves nothing',
    harm: 'The trial passes before a task has reached the new image.',
    find: 'const isIdle = !carriesTasks(ids, observation);',
    replace: 'const isIdle = false;',
  },
  {
    rule: 'a crash still counts after its replacement is gone',
    harm: "The instance that takes a dead canary's place passes the trial, although tasks crash there.",
    find: 'given.length > 0 ? !given.includes(imageId) : launchedAt < roll.startedAt;',
    replace: 'given.length > 0 || launchedAt < roll.startedAt;',
  },
  {
    rule: "the rest waits until the first batch's replacements have baked",
    harm: 'The trial is over before a fault can show.',
    find: 'if (isReady && isOver(since, provenAfter, observation.now))',
    replace: 'if (isReady)',
  },
  {
    rule: 'tasks that crash on the replacements fail the trial',
    harm: 'An image on which no task stays up passes the trial.',
    find: '...(crash === undefined ? [] : [crashed(crashFacts(crash, observation))]),',
    replace: '',
  },
];
