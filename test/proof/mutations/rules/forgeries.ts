import type { Mutation } from '../mutation.ts';

/** What somebody could bring about who may write tags, and nothing else. */
export const RULES_OF_FORGERIES: readonly Mutation[] = [
  {
    rule: 'a tag counts only where its seal holds',
    harm: 'Who may write tags has the roll go on from whatever he says.',
    find: 'return keys.some((key) => isSame(seal, sealOf(key, text, context))) ? text : undefined;',
    replace: 'return text;',
  },
  {
    rule: 'a mark is sealed for its instance',
    harm: 'Who copies the tags of an instance has another one ended.',
    find: "return ['instance', instanceId, ...",
    replace: "return ['instance', ...",
  },
  {
    rule: 'what is remembered on a group is sealed for this group',
    harm: 'Who copies the tags of a group has another one rolled, or its sizes changed.',
    find: "['roll', cluster, uuid, key]",
    replace: "['roll', cluster, key]",
  },
  {
    rule: 'a group is rolled only for the cluster that it belongs to',
    harm: 'One member that registers elsewhere, or a tag, has a group of somebody else rolled.',
    find: "if (begunFor === cluster) return { kind: 'ours' };",
    replace: "if (begunFor === undefined || begunFor === cluster) return { kind: 'ours' };",
  },
  {
    rule: 'what is no member is ours only if Auto Scaling tells that its group detached it',
    harm: 'An instance that its owner has taken out is ended.',
    find: "return detachment?.kind === 'told' && detachment.at >= detachableSince(mark);",
    replace: 'return true;',
  },
  {
    rule: 'a mistyped word leaves an instance or a group out',
    harm: 'What its owner meant to be left alone is ended.',
    find: "return text !== undefined && text !== 'false';",
    replace: "return text === 'true';",
  },
  {
    rule: 'a tag of an owner makes a roll gentler, and never rougher',
    harm: 'Who may tag a group has tasks stopped before their time.',
    find: '(asked >= stack ? asked : undefined);',
    replace: '(stack >= 0 ? asked : undefined);',
  },
  {
    rule: 'a member that drains and has lost its mark is marked again, where the group is larger for it',
    harm: 'Who may tag instances has the roll wait for ever.',
    find: 'return restoreMarks(assessment);',
    replace: 'return undefined;',
  },
];
