import type { Mutation } from '../mutation.ts';

/** What is not ours, and what others do at the same time. */
export const RULES_OF_OTHERS: readonly Mutation[] = [
  {
    rule: 'without a surge the only container instance is not drained',
    harm: 'Its tasks have nowhere to go: it drains half of the time, and takes no tasks.',
    find: '...(mayForce ? [] : nowhereToMove(assessment)),',
    replace: '',
  },
  {
    rule: 'an instance is ours only with both of our tags',
    harm: "One that merely carries a group's name is drained and terminated.",
    find: "if (!group || tags[INSTANCE_TAGS.terminate] !== 'true') return undefined;",
    replace: 'if (!group) return undefined;',
  },
  {
    rule: 'an instance that somebody put into another group since belongs to that group',
    harm: 'A member of another group is drained and terminated.',
    find: 'const ours = mark?.group === name && !elsewhere;',
    replace: 'const ours = mark?.group === name;',
  },
  {
    rule: 'an instance tagged for another cluster is left to it',
    harm: "Instances of another cluster are terminated undrained, because this one doesn't know them.",
    find: 'if (tags[INSTANCE_TAGS.cluster] === cluster) ids.add(instanceId);',
    replace: 'if (tags[INSTANCE_TAGS.cluster] !== undefined) ids.add(instanceId);',
  },
  {
    rule: 'a member never counts as detached',
    harm: 'It is terminated while it serves, without its hooks.',
    file: 'marked.ts',
    find: 'const ids = idSetOf([...members, ...warmPool]);',
    replace: 'const ids = idSetOf([...warmPool]);',
  },
  {
    rule: 'a member that its owner leaves out is left alone',
    harm: 'An instance that somebody is looking into is detached and terminated.',
    find: "return instance.excluded || (standby === 'skip' && isStandby(member));",
    replace: "return standby === 'skip' && isStandby(member);",
  },
  {
    rule: 'a member in Standby is left alone',
    harm: 'An instance that somebody has set aside is detached and terminated.',
    find: "return instance.excluded || (standby === 'skip' && isStandby(member));",
    replace: 'return instance.excluded || (isStandby(member) && standby !== standby);',
  },
  {
    rule: 'a group that its owner leaves out is left alone',
    harm: "A group is rolled against its owner's word.",
    find: 'const { settings: overrides, excluded, faults, ignored } =',
    replace: 'const excluded = false;\n  const { settings: overrides, faults, ignored } =',
  },
  {
    rule: 'an instance refresh is waited for',
    harm: 'Two tools replace the same members at once.',
    find: "return { kind: 'blocked', reason: { code: 'instance-refresh', status, paused } };",
    replace: 'return paused ? undefined : undefined;',
  },
  {
    rule: "a group whose roll has begun is found again by its instances' tags",
    harm: 'Detached instances of a group that gets deleted are left behind without a word.',
    find: "if (group && isName(group) && isMarked(tags)) groups.get(tags[INSTANCE_TAGS.cluster] ?? '')?.add(group);",
    replace: '',
  },
];
