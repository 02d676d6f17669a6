import type { Mutation } from '../mutation.ts';

/** What may hold an instance on its way in or out: lifecycle hooks, slow boots and termination protection. */
export const RULES_OF_HOOKS: readonly Mutation[] = [
  {
    rule: 'what a launch hook holds is waited for',
    harm: 'A good image is rejected, as a hook takes longer than a replacement may.',
    find: '  if (isHeldByHook(lifecycleState)) return secondsAfter(launchedAt, longestSeconds(group));\n',
    replace: '',
  },
  {
    rule: 'a replacement has its time from when its launch hooks let go of it',
    harm: 'One that a hook has held for long has no time left to register, and its image is rejected.',
    find: 'return group.details?.inServiceSince?.get(instanceId) ?? secondsAfter(launchedAt, heartbeatSeconds(group));',
    replace: 'return launchedAt;',
  },
  {
    rule: 'where no launch hook could be read they may hold for as long as by default',
    harm: 'A role without that permission has good images rejected.',
    file: 'launch-time.ts',
    find: "  if (group.details?.lifecycleHooks?.kind === 'unread') return DEFAULT_HEARTBEAT_SECONDS;\n",
    replace: '',
  },
  {
    rule: 'Windows has twice as long to get ready',
    harm: 'A good image is rejected, as Windows boots for a quarter of an hour.',
    find: '(isWindows ? 2 : 1)',
    replace: '1',
  },
  {
    rule: 'a hook may be held beyond its heartbeat as long as somebody sends more',
    harm: 'A good image is rejected while what its owner has made works on the instance.',
    find: 'map(({ globalTimeoutSeconds }) => globalTimeoutSeconds)',
    replace: 'map(({ heartbeatSeconds }) => heartbeatSeconds)',
  },
  {
    rule: 'hooks that can’t be read are told, and end no roll',
    harm: 'A role without one permission rolls nothing any more.',
    find: "if (faultOf(error).kind === 'internal') throw error;",
    replace: 'throw error;',
  },
  {
    rule: 'terminate hooks that would not run are told before',
    harm: 'Logs are not shipped from what is detached, and nobody has been told.',
    file: 'lifecycle-hooks.ts',
    find: 'if (hooks.length === 0) return [];',
    replace: 'if (hooks.length >= 0) return [];',
  },
  {
    rule: 'ECS’ own hook is none of the owner’s',
    harm: 'Each group of a capacity provider is warned of a hook that has nothing to do.',
    find: '.filter(({ name }) => name !== MANAGED_DRAINING)',
    replace: '',
  },
  {
    rule: 'what its group ends counts as draining until its hooks let it go',
    harm: 'More instances are out at once than may drain.',
    find: 'candidate.instance.attached || !ending.includes(candidate)',
    replace: '!ending.includes(candidate)',
  },
  {
    rule: 'what hooks hold takes up the place of one that drains',
    harm: 'The next drains while the hooks of the last are at work, and more are out at once than may be.',
    find: '...detaching, ...ending]',
    replace: '...detaching]',
  },
  {
    rule: 'an instance that its group retains is named',
    harm: 'The roll waits for ever, and nobody learns for what.',
    find: '  if (retained.length > 0) return blockOnRetained(group, retained);\n',
    replace: '',
  },
  {
    rule: 'termination protection is told before anything changes',
    harm: 'Instances are drained that can’t be ended.',
    find: '      ...protectionObstacles(assessment),\n',
    replace: '',
  },
  {
    rule: 'what can’t be ended serves on',
    harm: 'An instance that is protected in the middle of its drain stands empty until somebody comes.',
    find: 'letProtectedServe(candidates) ?? ',
    replace: '',
  },
  {
    rule: 'protection that EC2 refuses by is kept in mind',
    harm: 'The same call is refused again and again, and the instance stands empty.',
    find: '    noteProtection(memory, error);\n',
    replace: '',
  },
  {
    rule: 'whether protection has been taken away is asked again',
    harm: 'A roll stays blocked though its owner has done what he was asked to.',
    find: 'if (known.get(instanceId) === false) continue;',
    replace: 'if (known.has(instanceId)) continue;',
  },
  {
    rule: 'protection holds nothing up that the group itself ends',
    harm: 'A group is not rolled for what its own terminations pass over.',
    find: 'const members = isByGroup ? [] : classified.drifted;',
    replace: 'const members = classified.drifted;',
  },
];
