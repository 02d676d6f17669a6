import type { Mutation } from '../mutation.ts';

/** What may hold an instance on its way in or out: lifecycle hooks, slow boots and termination protection. */
export const RULES_OF_HOOKS: readonly Mutation[] = [
  {
    rule: 'an instance held by a launch hook is waited for',
    harm: 'A good image is rejected because a hook takes longer than a replacement may.',
    find: '  if (isHeldByHook(lifecycleState)) return secondsAfter(launchedAt, longestSeconds(group));\n',
    replace: '',
  },
  {
    rule: "a replacement's time starts when its launch hooks let go of it",
    harm: 'One that a hook held for long has no time left to register, and its image is rejected.',
    find: 'return group.details?.inServiceSince?.get(instanceId) ?? secondsAfter(launchedAt, heartbeatSeconds(group));',
    replace: 'return launchedAt;',
  },
  {
    rule: "when launch hooks can't be read, they may hold for the default time",
    harm: 'A role without that permission gets good images rejected.',
    file: 'lifecycle-hooks.ts',
    find: "  if (details?.lifecycleHooks?.kind === 'unread') return DEFAULT_HEARTBEAT_SECONDS;\n",
    replace: '',
  },
  {
    rule: 'Windows gets twice as long to be ready',
    harm: 'A good image is rejected because Windows takes a quarter of an hour to boot.',
    find: '(isWindows ? 2 : 1)',
    replace: '1',
  },
  {
    rule: 'a hook may hold past its heartbeat as long as somebody sends more',
    harm: "A good image is rejected while its owner's own script is still working on the instance.",
    find: 'map(({ globalTimeoutSeconds }) => globalTimeoutSeconds)',
    replace: 'map(({ heartbeatSeconds }) => heartbeatSeconds)',
  },
  {
    rule: "hooks that can't be read are reported, and end no roll",
    harm: 'A role that lacks one permission rolls nothing any more.',
    find: "if (faultOf(error).kind === 'internal') throw error;",
    replace: 'throw error;',
  },
  {
    rule: 'terminate hooks that would not run are reported beforehand',
    harm: 'Logs are not shipped from detached instances, and nobody was warned.',
    file: 'lifecycle-hooks.ts',
    find: 'return hooks.length === 0 ? [] :',
    replace: 'return hooks.length >= 0 ? [] :',
  },
  {
    rule: "ECS's own hook is not one of the owner's",
    harm: 'Every group with a capacity provider gets a warning about a hook that has nothing to do.',
    find: ".filter(({ drainer }) => drainer !== 'ecs' && drainer !== 'us')",
    replace: '',
  },
  {
    rule: 'an instance that its group terminates counts as draining until its hooks let go',
    harm: 'More instances are out at once than may drain.',
    find: 'each.instance.attached || !ending.includes(each)',
    replace: '!ending.includes(each)',
  },
  {
    rule: 'an instance held by hooks takes the place of a draining one',
    harm: 'The next one drains while hooks still work on the last, and more are out at once than allowed.',
    find: '...detaching, ...ending]',
    replace: '...detaching]',
  },
  {
    rule: 'an instance that its group retains is named',
    harm: 'The roll waits forever, and nobody learns what for.',
    find: '  if (retained.length > 0) return blockOnRetained(group, retained);\n',
    replace: '',
  },
  {
    rule: 'termination protection is reported before anything changes',
    harm: "Instances that can't be terminated are drained.",
    find: '      ...protectionObstacles(assessment),\n',
    replace: '',
  },
  {
    rule: "an instance that can't be terminated keeps serving",
    harm: 'An instance that is protected halfway through its drain stays empty until somebody comes.',
    find: 'letProtectedServe(candidates) ?? ',
    replace: '',
  },
  {
    rule: 'termination protection that EC2 reports in a refusal is remembered',
    harm: 'The same call is refused again and again, and the instance stays empty.',
    find: '    noteProtection(memory, error);\n',
    replace: '',
  },
  {
    rule: 'we check again whether protection has been removed',
    harm: 'A roll stays blocked although its owner did what was asked.',
    find: 'if (known.get(instanceId) === false) continue;',
    replace: 'if (known.has(instanceId)) continue;',
  },
  {
    rule: 'protection does not hold up what the group terminates itself',
    harm: 'A group is not rolled because of protection that its own terminations ignore.',
    find: 'const members = isByGroup ? [] : classified.drifted;',
    replace: 'const members = classified.drifted;',
  },
];
