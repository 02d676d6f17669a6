import type { Mutation } from '../mutation.ts';

/** What Auto Scaling ends outside rolls. */
export const RULES_OF_TERMINATIONS: readonly Mutation[] = [
  {
    rule: 'what ends drains first, in all its registrations',
    harm: 'Its tasks are waited for until its time is over, and are lost then.',
    find: "  if (active.length > 0 && !isSpared) return { kind: 'drain', containerInstances: active };\n",
    replace: '',
  },
  {
    rule: 'nobody is in no cluster as long as a cluster cannot be read',
    harm: 'An instance is let go of under all its tasks because ECS had a fault.',
    find: 'if (hosts.length === 0 && !isPartial)',
    replace: 'if (hosts.length === 0)',
  },
  {
    rule: 'what ends is not drained while a task there is protected and half of the time is left',
    harm: 'A task that its owner protected may be stopped.',
    find: 'left.some((task) => isProtected(task, now)) && !hasLasted(timeoutSeconds / 2)',
    replace: 'false',
  },
  {
    rule: 'an agent that is away may come back within ten minutes',
    harm: 'Tasks are lost because an agent reconnects.',
    find: "  if (awaySince !== undefined && isOver(awaySince, AWAY_SECONDS, now)) return release('away');\n",
    replace: "  if (awaySince !== undefined) return release('away');\n",
  },
  {
    rule: 'our hook is never abandoned',
    harm: "Others' hooks are skipped: logs are not shipped.",
    find: "LifecycleActionResult: 'CONTINUE'",
    replace: "LifecycleActionResult: 'ABANDON'",
  },
  {
    rule: 'what returns to a warm pool does not end',
    harm: 'Instances are drained that nobody ends.',
    find: '/^((Warmed:)?Terminating|ReplacingRootVolume):Wait$/',
    replace: '/:Wait$/',
  },
  {
    rule: 'no active lifecycle action means done',
    harm: "Each look fails as long as another's hook holds an instance, and the alarm goes off.",
    find: "if (hasCode(error, 'ValidationError') && /no active lifecycle action/i.test(error.message)) return false;",
    replace: '',
  },
  {
    rule: 'only a Spot Instance is drained by a warning of its interruption',
    harm: 'Whoever may invoke the function can have any instance drained, which stays so.',
    find: "  if (!(await isSpotInstance(aws, instanceId))) return 'not ours';\n",
    replace: '',
  },
  {
    rule: 'what EC2 cannot tell of is not taken for gone',
    harm: 'As a zone is impaired, instances there are let go of under all their tasks.',
    find: 'gone: away !== undefined && running !== undefined && !running.has(each.instanceId)',
    replace: 'gone: away !== undefined && !running?.has(each.instanceId)',
  },
  {
    rule: 'what became of an instance is told before it is let go of',
    harm: 'Killed right then, no event and no alarm tells that tasks were lost.',
    find: '  if (beatAt.has(instanceId)) await tell();\n',
    replace: '',
  },
  {
    rule: "the hook's time is not restarted where nobody knows when the instance's is over",
    harm: 'Without the right to read activities instances are held for two days.',
    find: 'const mayBeat = since !== undefined && !isOver(since, timeoutSeconds, seen.now);',
    replace: 'const mayBeat = true;',
  },
];
