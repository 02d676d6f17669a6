import type { Mutation } from '../mutation.ts';

/** What is not ours, and what others do at the same time. */
export const RULES_OF_OTHERS: readonly Mutation[] = [
  {
    rule: 'without a surge the only container instance is not drained',
    harm: 'Its tasks have nowhere to go: half of the time it drains, and takes no task.',
    find: '...(mayForce ? [] : nowhereToMove(assessment)),',
    replace: '',
  },
  {
    rule: 'an instance is ours only with both of our tags',
    harm: 'One that merely bears the name of a group is drained and ended.',
    find: "if (!group || tags[INSTANCE_TAGS.terminate] !== 'true') return undefined;",
    replace: 'if (!group) return undefined;',
  },
  {
    rule: 'what somebody has put into another group since is that group’s',
    harm: 'A member of another group is drained and ended.',
    find: 'const ours = mark?.group === name && !elsewhere;',
    replace: 'const ours = mark?.group === name;',
  },
  {
    rule: 'what is tagged for another cluster is left to it',
    harm: 'Instances of another cluster are ended undrained, as this one doesn’t know them.',
    find: 'if (tags[INSTANCE_TAGS.cluster] === cluster) ids.add(instanceId);',
    replace: 'if (tags[INSTANCE_TAGS.cluster] !== undefined) ids.add(instanceId);',
  },
  {
    rule: 'a member is never taken for detached',
    harm: 'It is ended as it serves, and without its hooks.',
    file: 'marked.ts',
    find: 'const ids = new Set([...members, ...warmPool].map(',
    replace: 'const ids = new Set([...warmPool].map(',
  },
  {
    rule: 'a member that its owner leaves out is left alone',
    harm: 'An instance that somebody is looking into is detached and ended.',
    find: "return instance.excluded || (standby === 'skip' && isStandby(member));",
    replace: "return standby === 'skip' && isStandby(member);",
  },
  {
    rule: 'a member in Standby is left alone',
    harm: 'An instance that somebody has set aside is detached and ended.',
    find: "return instance.excluded || (standby === 'skip' && isStandby(member));",
    replace: 'return instance.excluded || (isStandby(member) && standby !== standby);',
  },
  {
    rule: 'a group whose owner leaves it out is left alone',
    harm: 'A group is rolled against the word of its owner.',
    find: 'const { settings: overrides, excluded, faults, ignored } =',
    replace: 'const excluded = false;\n  const { settings: overrides, faults, ignored } =',
  },
  {
    rule: 'an instance refresh is waited for',
    harm: 'Two replace the same members at once.',
    find: 'if (instanceRefresh !== undefined) {',
    replace: "if (instanceRefresh === '') {",
  },
  {
    rule: 'no more groups are rolled at once than may',
    harm: 'Services that run on several groups lose tasks in all of them.',
    find: 'if (rolling.length < most) {',
    replace: 'if (rolling.length <= most) {',
  },
  {
    rule: 'an image for another architecture is not rolled onto',
    harm: 'No instance comes of it, and the group is left without.',
    find: 'runs.includes(architecture) ? [] : [type]',
    replace: 'runs.includes(architecture) ? [] : []',
  },
  {
    rule: 'a group whose roll has begun is found again by the tags of its instances',
    harm: 'What was detached of a group that is deleted meanwhile is left behind without a word.',
    find: "if (group && isName(group) && isMarked(tags)) groups.get(tags[INSTANCE_TAGS.cluster] ?? '')?.add(group);",
    replace: '',
  },
];
