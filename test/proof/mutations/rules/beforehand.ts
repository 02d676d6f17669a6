import type { Mutation } from '../mutation.ts';

/** What is checked and reported before a roll changes anything. */
export const RULES_OF_BEFOREHAND: readonly Mutation[] = [
  {
    rule: 'a change calendar that can’t be read counts as closed',
    harm: 'A roll begins in the middle of a freeze.',
    find: "if (read.kind === 'unread') return { code: 'calendar-unread', calendar, because: read.because };",
    replace: "if (read.kind === 'unread') continue;",
  },
  {
    rule: 'a roll begins only in a window',
    harm: 'It begins at noon what was to wait for the night.',
    find: 'if (closed === undefined || hasBegun) return undefined;',
    replace: 'if (closed === undefined || !hasBegun) return undefined;',
  },
  {
    rule: 'what has begun goes on only in a window',
    harm: 'The roll goes on at noon with what was to wait for the night.',
    find: 'if (group.closed === undefined || !isLeft) return undefined;',
    replace: 'if (group.closed === undefined || isLeft) return undefined;',
  },
  {
    rule: 'nothing drains outside the windows but what drains already',
    harm: 'Tasks move at noon although they were to move at night.',
    find: 'endLeaving(assessment, { ...rules, mayBegin: false }) ??\n    waitForReadiness(assessment) ??\n    closed',
    replace: 'endLeaving(assessment, rules) ??\n    waitForReadiness(assessment) ??\n    closed',
  },
  {
    rule: 'replacements are judged outside the windows, too',
    harm: 'Tasks that fail on the new image go on failing until the next window.',
    find: 'failingTasks(assessment) ??\n    stopForUnmovable(assessment, rules) ??\n    askFirst(assessment, tryOut(assessment)) ??\n    endLeaving',
    replace: 'stopForUnmovable(assessment, rules) ??\n    endLeaving',
  },
  {
    rule: 'with MODE=plan only somebody begins a roll',
    harm: 'The schedule rolls what was only to be watched.',
    find: "if (hasBegun || asked || settings.mode === 'roll')",
    replace: 'if (hasBegun || asked || !settings.mode)',
  },
  {
    rule: 'with MODE=plan what has begun goes on',
    harm: 'A roll that somebody asked for stops half-way, as its next invocation is nobody’s.',
    find: "if (hasBegun || asked || settings.mode === 'roll')",
    replace: "if (asked || settings.mode === 'roll')",
  },
  {
    rule: 'a group whose sizes count vCPUs or memory is left alone',
    harm: 'Changing its sizes by one changes it by a fraction of an instance.',
    find: "if (capacityType !== 'units') return",
    replace: "if (capacityType === '') return",
  },
  {
    rule: 'instances tell the image family when Amazon hides the image',
    harm: "A Windows group can't be rolled once its image is private.",
    find: 'current ? recommendedParameter(current.name) : hiddenFamily(source, criteria);',
    replace: "recommendedParameter(current?.name ?? '');",
  },
  {
    rule: "instances that differ don't tell their image's family",
    harm: 'A group is rolled onto another Windows image.',
    find: 'family === undefined || others.length > 0 ?',
    replace: 'family === undefined || others.length < 0 ?',
  },
  {
    rule: 'Core stays Core when the image is hidden',
    harm: 'A group is rolled onto an image with a different shell.',
    find: "edition === 'FULL' ? 'Full' : 'Core'",
    replace: "edition && 'Full'",
  },
  {
    rule: 'an earlier version made for an image that nothing launches is reported',
    harm: "Somebody who lost a rejection's tag is rolled onto the bad image again, without a word why.",
    file: 'made-before.ts',
    find: 'own.imageId === target.imageId\n',
    replace: 'own.imageId === imageId\n',
  },
  {
    rule: 'a rejected image is not reported as made before',
    harm: 'Somebody whose tags still hold a rejection is told it is gone.',
    find: ' || rejection?.imageIds.includes(target.imageId)) return [];',
    replace: ') return [];',
  },
  {
    rule: "the replacements' addresses are counted",
    harm: 'The roll begins, and no replacement can be launched.',
    find: 'if (count * (withTrunk ? 2 : 1) <= free) return [];',
    replace: 'if (count * (withTrunk ? 2 : 1) >= 0) return [];',
  },
  {
    rule: 'a trunk interface counts as an address too',
    harm: "The roll begins, and its replacements can't register because addresses run out.",
    find: 'count * (withTrunk ? 2 : 1)',
    replace: 'count * (withTrunk ? 1 : 1)',
  },
  {
    rule: 'addresses of tasks that start before others stop are counted',
    harm: 'Tasks wait for addresses in the middle of a drain, and nobody was warned.',
    find: 'if (count <= free) return [];',
    replace: 'if (count >= 0) return [];',
  },
  {
    rule: 'an IPv6-only subnet is not full',
    harm: 'A group that has room is not rolled.',
    find: 'Ipv6Native ? Number.POSITIVE_INFINITY : AvailableIpAddressCount',
    replace: 'AvailableIpAddressCount',
  },
  {
    rule: 'an instance that is gone but still registered is not capacity',
    harm: 'The only live container instance drains, because another one seems to be left.',
    find: "status === 'ACTIVE' && agentConnected),",
    replace: "status === 'ACTIVE' && agentConnected !== undefined),",
  },
  {
    rule: 'instances without room for our tags are reported before anything changes',
    harm: 'The roll fails halfway, because no turn can be recorded.',
    find: 'otherTags + OURS > MOST_TAGS',
    replace: 'otherTags > MOST_TAGS',
  },
  {
    rule: 'a group that propagates our tags is not rolled',
    harm: 'Each replacement is mistaken for an outdated instance, and terminated.',
    find: 'propagated.length === 0',
    replace: 'propagated.length >= 0',
  },
  {
    rule: 'an image whose family has reached its end of life is reported',
    harm: 'A group stays up to date forever on something nobody maintains any more.',
    find: 'new Date(each.endsAt) <= now &&',
    replace: 'new Date(each.endsAt) > now &&',
  },
];
