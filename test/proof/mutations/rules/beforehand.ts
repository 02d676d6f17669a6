import type { Mutation } from '../mutation.ts';

/** What is looked into and told before a roll changes anything. */
export const RULES_OF_BEFOREHAND: readonly Mutation[] = [
  {
    rule: 'a group whose sizes count vCPUs or memory is left alone',
    harm: 'A change of its sizes by one instance is one by a part of an instance.',
    find: "if (capacityType !== 'units') return",
    replace: "if (capacityType === '') return",
  },
  {
    rule: 'instances tell the family of an image that Amazon hides',
    harm: 'A Windows group can’t be rolled any more once its image is private.',
    find: 'current ? recommendedParameter(current.name) : hiddenFamily(source, criteria);',
    replace: "recommendedParameter(current?.name ?? '');",
  },
  {
    rule: 'instances that differ tell no family of their image',
    harm: 'A group is rolled onto the image of another Windows.',
    find: 'family === undefined || others.length > 0 ?',
    replace: 'family === undefined || others.length < 0 ?',
  },
  {
    rule: 'Core stays Core where the image is hidden',
    harm: 'A group is rolled onto an image with another shell.',
    find: "edition === 'FULL' ? 'Full' : 'Core'",
    replace: "edition && 'Full'",
  },
  {
    rule: 'a version made before for an image that is not launched is told',
    harm: 'Who has lost the tag of a rejection is rolled onto the bad image again, and not told why.',
    file: 'made-before.ts',
    find: 'own.imageId === target.imageId\n',
    replace: 'own.imageId === imageId\n',
  },
  {
    rule: 'an image that is rejected is not told of as made before',
    harm: 'Who keeps a rejection on his tags is told that it is gone.',
    find: ' || rejection?.imageIds.includes(target.imageId)) return [];',
    replace: ') return [];',
  },
  {
    rule: 'addresses for the replacements are counted',
    harm: 'The roll begins, and no replacement can be launched.',
    find: 'if (count * (withTrunk ? 2 : 1) <= free) return [];',
    replace: 'if (count * (withTrunk ? 2 : 1) >= 0) return [];',
  },
  {
    rule: 'a trunk interface takes an address too',
    harm: 'The roll begins, and its replacements fail to register for want of addresses.',
    find: 'count * (withTrunk ? 2 : 1)',
    replace: 'count * (withTrunk ? 1 : 1)',
  },
  {
    rule: 'addresses of tasks that start before others stop are counted',
    harm: 'Tasks wait for addresses in the middle of a drain, and nobody was told.',
    find: 'if (count <= free) return [];',
    replace: 'if (count >= 0) return [];',
  },
  {
    rule: 'a subnet for IPv6 alone is not full',
    harm: 'A group that has room is not rolled.',
    find: 'Ipv6Native ? Number.POSITIVE_INFINITY : AvailableIpAddressCount',
    replace: 'AvailableIpAddressCount',
  },
  {
    rule: 'what is gone and registered still is no capacity',
    harm: 'The only container instance that lives drains, as another seems to be left.',
    find: "status === 'ACTIVE' && agentConnected),",
    replace: "status === 'ACTIVE' && agentConnected !== undefined),",
  },
  {
    rule: 'instances without room for our tags are told before anything changes',
    harm: 'The roll fails in its middle, as no turn can be written down.',
    find: 'otherTags + OURS > MOST_TAGS',
    replace: 'otherTags > MOST_TAGS',
  },
  {
    rule: 'a group that hands our tags on is not rolled',
    harm: 'Each replacement is taken for one to be replaced, and ended.',
    find: 'propagated.length === 0',
    replace: 'propagated.length >= 0',
  },
  {
    rule: 'an image of a family past its end is told',
    harm: 'A group is up to date for ever on what nobody mends any more.',
    find: 'new Date(each.endsAt) <= now &&',
    replace: 'new Date(each.endsAt) > now &&',
  },
];
