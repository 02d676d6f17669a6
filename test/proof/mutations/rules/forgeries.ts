import type { Mutation } from '../mutation.ts';

/** What somebody who may write tags, and nothing else, could cause. */
export const RULES_OF_FORGERIES: readonly Mutation[] = [
  {
    rule: 'a tag only counts if its seal holds',
    harm: 'Anyone who may write tags controls how the roll continues.',
    find: 'return keys.some((key) => isSame(seal, sealOf(key, text, context))) ? text : undefined;',
    replace: 'return text;',
  },
  {
    rule: 'a mark is sealed for its instance',
    harm: "Anyone who copies an instance's tags gets another instance terminated.",
    find: "return ['instance', instanceId, ...",
    replace: "return ['instance', ...",
  },
  {
    rule: "a member's mark is of the roll under way",
    harm: 'Anyone who puts an old mark back has a roll begun at any time, outside of its schedule.',
    find: 'isOfRoll(mark, roll, now)) return each;',
    replace: 'mark.group !== undefined) return each;',
  },
  {
    rule: "a detachment long after the mark was the owner's",
    harm: 'Anyone who puts an old mark back gets an instance terminated that its owner keeps for a look.',
    find: 'isOver(mark.detachStartedAt, DETACHED_SECONDS, detachment.at)',
    replace: 'isOver(mark.detachStartedAt, 1e9, detachment.at)',
  },
  {
    rule: 'a roll that gave its group no other image proves none',
    harm: 'An image that was rejected is tried again after members were replaced for their age.',
    find: 'previous.length > 0 || isNewest ||',
    replace: 'previous.length >= 0 || isNewest ||',
  },
  {
    rule: 'an image that a roll has not recorded has its trial anew',
    harm: 'Anyone who puts two tags of a finished roll back gets the newest image everywhere, with no trial.',
    find: '...(isUntried && { anew: true }),',
    replace: '',
  },
  {
    rule: 'a capacity provider alone stands for no group with members',
    harm: "Whoever may give a cluster another's provider gets that one's instances terminated undrained.",
    find: 'return here.length > 0 || others === 0;',
    replace: 'return here.length >= 0 || others === 0;',
  },
  {
    rule: 'what is remembered on a group is sealed for that group',
    harm: "Anyone who copies a group's tags gets another group rolled, or resized.",
    find: "['roll', cluster, uuid, key]",
    replace: "['roll', cluster, key]",
  },
  {
    rule: 'a group is rolled only for the cluster it belongs to',
    harm: "One member that registers elsewhere, or one tag, gets somebody else's group rolled.",
    find: "if (begunFor === cluster) return { kind: 'ours' };",
    replace: "if (begunFor === undefined || begunFor === cluster) return { kind: 'ours' };",
  },
  {
    rule: 'a mistyped value still leaves an instance or a group out',
    harm: 'What its owner wanted left alone is terminated.',
    find: "return text !== undefined && text !== 'false';",
    replace: "return text === 'true';",
  },
  {
    rule: "an owner's tag makes a roll gentler, never rougher",
    harm: 'Anyone who may tag a group gets tasks stopped early.',
    find: '(asked >= stack ? asked : undefined);',
    replace: '(stack >= 0 ? asked : undefined);',
  },
  {
    rule: 'a draining member that lost its mark is marked again if the group was enlarged for it',
    harm: 'Anyone who may tag instances can make the roll wait forever.',
    find: ': restoreMarks(assessment);',
    replace: ': undefined;',
  },
];
