import type { Mutation } from '../mutation.ts';

/** Where the tasks of an instance can go. */
export const RULES_OF_PLACEMENT: readonly Mutation[] = [
  {
    rule: 'an instance that ECS manages is no place for tasks of other services',
    harm: 'The only instance of a group drains for half an hour beside it, and its tasks go nowhere.',
    find: '!each.managed && !isForsaken(each, observation),',
    replace: '!isForsaken(each, observation),',
  },
  {
    rule: 'an instance whose tasks would fit nowhere else is not drained',
    harm: 'ECS stops them down to the minimum, and they run nowhere until the drain is undone.',
    find: "places.every((place) => fits(place, requirements) === 'no')",
    replace: 'places.length < 0',
  },
  {
    rule: 'an image on which a daemon can not run is taken back',
    harm: 'The roll completes, and no instance has its log router any more.',
    find: 'daemon ? replacementsIn(departure) : departure.staying;',
    replace: 'daemon ? [] : departure.staying;',
  },
  {
    rule: 'tasks with network interfaces of their own are moved only within the zones of their subnets',
    harm: 'A drain waits for half an hour for tasks that fit nowhere else, or they stop and run nowhere.',
    find: '    ...zonesOf(service),\n',
    replace: '',
  },
  {
    rule: 'of a subnet that EC2 does not know no zone is made up',
    harm: 'Each plan warns of a zone without a name.',
    find: " || zones.has('')) return service;",
    replace: ') return service;',
  },
  {
    rule: 'tasks that need an instance each are counted',
    harm: 'One stops, and there is no instance left for it.',
    find: 'if (count <= room) return [];',
    replace: 'if (count >= 0) return [];',
  },
  {
    rule: 'a drain that took a service down is only tried again when somebody asks',
    harm: 'The service is short of tasks for half of every hour.',
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
    rule: 'asking retries the drains that were given up before, not later ones',
    harm: 'One request tries the same drain over and over.',
    find: 'drainGivenUpAt !== undefined && drainGivenUpAt < time',
    replace: 'drainGivenUpAt !== undefined && time > new Date(0)',
  },
  {
    rule: 'an attribute that may not come back is not relied on',
    harm: 'The roll begins without a word, and gets stuck halfway.',
    find: "if (guessed.has(name)) return { kind: 'unknown' };",
    replace: '',
  },
  {
    rule: 'an instance whose tasks fit nowhere is left alone as long as that lasts',
    harm: 'It drains after a while anyway, and its tasks are gone.',
    find: 'if (stranded?.has(instanceId) || (',
    replace: 'if ((',
  },
  {
    rule: 'a scheduled invocation does not count as somebody asking for another try',
    harm: 'A drain that took a service down takes it down again every day.',
    find: 'const retries = asked && (',
    replace: 'const retries = (',
  },
  {
    rule: 'an instance whose drain leaves a service short is noted',
    harm: 'The next drain takes the service down again.',
    find: 'return !daemon && runningCount < Math.min(before, desiredCount);',
    replace: 'return !daemon && runningCount < 0;',
  },
  {
    rule: 'what is still launching may be the place',
    harm: 'An instance is left alone, although its tasks would fit on one that is launching.',
    find: 'if (!mayLeave(assessment, spareInstances(assessment))) return undefined;',
    replace: '',
  },
  {
    rule: 'an image that lacks what tasks need turns the roll back',
    harm: "A roll stays half done, with an image on which a service can't run.",
    find: 'if (bad.length > 0)',
    replace: 'if (bad.length < 0)',
  },
  {
    rule: "another instance type is not the image's fault",
    harm: 'A good image is rejected because of something else its owner changed.',
    find: "met(place) === 'no' && type(place) === type(departure.here)",
    replace: "met(place) === 'no'",
  },
  {
    rule: 'what the old instance lacks too says nothing',
    harm: "An instance that runs a task is not drained because of something that task doesn't need.",
    find: "return kind === 'expression' || (here !== undefined && met(here) === 'yes');",
    replace: "return kind === 'expression' || here !== undefined;",
  },
  {
    rule: 'what a rollback removes is the worse place',
    harm: 'Failing new instances are not drained, and the rollback never finishes.',
    find: "return roll?.course.kind !== 'rollback' || launchedAt < roll.startedAt;",
    replace: 'return roll === undefined || launchedAt > new Date(0);',
  },
  {
    rule: 'a service that will fit nowhere is reported before anything changes',
    harm: 'A roll begins that can’t be finished.',
    find: 'misfits.flatMap(({ obstacle }) => obstacle ?? [])',
    replace: 'misfits.flatMap(({ obstacle }) => (mayForce ? (obstacle ?? []) : []))',
  },
  {
    rule: 'tasks that need an instance each, or one that no other replaces, are reported when there is no surge',
    harm: 'A roll begins, and each drain takes a task away.',
    find: 'if (!isTold || count < fitting) return [];',
    replace: 'if (!isTold || count >= 0) return [];',
  },
];
