import type { Mutation } from '../mutation.ts';

/** Where the tasks of an instance can go. */
export const RULES_OF_PLACEMENT: readonly Mutation[] = [
  {
    rule: 'an instance whose tasks would find no other place is not drained',
    harm: 'ECS stops them down to the minimum, and they run nowhere until the drain is undone.',
    find: 'if (fit.length === 0) return',
    replace: 'if (fit.length < 0) return',
  },
  {
    rule: 'what is to leave itself is no place for tasks',
    harm: 'They move to an old instance, and from the last of these nowhere.',
    find: 'others.filter((each) => !isGoing(each))',
    replace: 'others',
  },
  {
    rule: 'tasks that need an instance each are counted',
    harm: 'One stops, and there is no instance left for it.',
    find: 'if (count <= room) return [];',
    replace: 'if (count >= 0) return [];',
  },
  {
    rule: 'a drain that took a service down is tried again only when somebody asks',
    harm: 'The service runs short for half of every hour.',
    find: ' || (mark.shortServices ?? []).length > 0) return true;',
    replace: ') return true;',
  },
  {
    rule: 'an instance with tasks of a service that another drain took down is not drained',
    harm: 'Each old instance in turn takes it down once more.',
    file: 'stranded.ts',
    find: 'if (before !== undefined) return',
    replace: 'if (before === null) return',
  },
  {
    rule: 'who asks has drains tried again that were given up before, and no later ones',
    harm: 'One request tries the same drain over and over.',
    find: 'drainGivenUpAt !== undefined && drainGivenUpAt < time',
    replace: 'drainGivenUpAt !== undefined && time > new Date(0)',
  },
  {
    rule: 'an attribute that may not come again is not counted upon',
    harm: 'The roll begins without a word, and stops in the middle.',
    find: "if (guessed.has(name)) return { kind: 'unknown' };",
    replace: '',
  },
  {
    rule: 'one whose tasks fit nowhere stays as it is for as long',
    harm: 'It drains after a while all the same, and its tasks are gone.',
    find: 'if (stranded?.has(instanceId) || (',
    replace: 'if ((',
  },
  {
    rule: 'nobody has asked for another try whom only the schedule calls',
    harm: 'A drain that took a service down takes it down again every day.',
    find: 'const retries = asked && (',
    replace: 'const retries = (',
  },
  {
    rule: 'a service that runs short under a drain is noted on the instance',
    harm: 'The next drain takes the service down again.',
    find: 'return !daemon && runningCount < Math.min(before, desiredCount);',
    replace: 'return !daemon && runningCount < 0;',
  },
  {
    rule: 'what is still to come may be the place',
    harm: 'An instance is left as it is, though its tasks would fit on what is launched at the moment.',
    find: '  if (readiness(assessment).length > 0) return undefined;\n',
    replace: '',
  },
  {
    rule: 'an image that lacks what tasks need turns the roll back',
    harm: 'A roll stays half done, with an image on which a service can’t run.',
    find: 'if (bad.length > 0)',
    replace: 'if (bad.length < 0)',
  },
  {
    rule: 'another instance type is no fault of the image',
    harm: 'A good image is rejected for what its owner has changed beside it.',
    find: "met(place) === 'no' && type(place) === type(setting.here)",
    replace: "met(place) === 'no'",
  },
  {
    rule: 'what the old instance itself lacks can’t be told aright',
    harm: 'An instance on which a task runs is not drained for what that task doesn’t need.',
    find: "return kind === 'expression' || (here !== undefined && met(here) === 'yes');",
    replace: "return kind === 'expression' || here !== undefined;",
  },
  {
    rule: 'what a roll that goes back takes away is the worse place',
    harm: 'New instances that fail are not drained, and the roll never gets back.',
    find: '!excluded && !isFailed;',
    replace: '!excluded;',
  },
  {
    rule: 'a service that will fit nowhere is told before anything changes',
    harm: 'A roll begins that can’t be finished.',
    find: 'misfits.flatMap(({ obstacle }) => obstacle ?? [])',
    replace: 'misfits.flatMap(({ obstacle }) => (mayForce ? (obstacle ?? []) : []))',
  },
  {
    rule: 'tasks that need an instance each are told of where there is no surge',
    harm: 'A roll begins, and each drain takes a task away.',
    find: 'if (places.length === 0 || count < fitting) return [];',
    replace: 'if (places.length === 0 || count >= 0) return [];',
  },
];
