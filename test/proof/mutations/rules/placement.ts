import type { Mutation } from '../mutation.ts';

/** Where the tasks of an instance can go. */
export const RULES_OF_PLACEMENT: readonly Mutation[] = [
  {
    rule: 'an instance whose tasks would find no other place is not drained',
    harm: 'ECS stops them down to the minimum, and they run nowhere until the drain is undone.',
    file: 'lambda/core/stranded.ts',
    find: 'if (fit.length === 0) return',
    replace: 'if (fit.length < 0) return',
  },
  {
    rule: 'what is to leave itself is no place for tasks',
    harm: 'They move to an old instance, and from the last of these nowhere.',
    file: 'lambda/core/stranded.ts',
    find: 'others.filter((each) => !isGoing(each))',
    replace: 'others',
  },
  {
    rule: 'tasks that need an instance each are counted',
    harm: 'One stops, and there is no instance left for it.',
    file: 'lambda/core/stranded.ts',
    find: 'if (count <= room) return [];',
    replace: 'if (count >= 0) return [];',
  },
  {
    rule: 'a drain that took a service down is tried again only when somebody asks',
    harm: 'The service runs short for half of every hour.',
    file: 'lambda/core/candidate.ts',
    find: ' || (mark.tookDown ?? []).length > 0) return true;',
    replace: ') return true;',
  },
  {
    rule: 'an instance with tasks of a service that another drain took down is not drained',
    harm: 'Each old instance in turn takes it down once more.',
    file: 'lambda/core/stranded.ts',
    find: 'if (before !== undefined) return',
    replace: 'if (before === null) return',
  },
  {
    rule: 'who asks has drains tried again that were given up before, and no later ones',
    harm: 'One request tries the same drain over and over.',
    file: 'lambda/core/took-down.ts',
    find: 'drainHeldAt !== undefined && drainHeldAt < time',
    replace: 'drainHeldAt !== undefined && time > new Date(0)',
  },
  {
    rule: 'an attribute that may not come again is not counted upon',
    harm: 'The roll begins without a word, and stops in the middle.',
    file: 'lambda/core/cluster-query-match.ts',
    find: "if (guessed.has(name)) return { kind: 'unknown' };",
    replace: '',
  },
];
