import type { Mutation } from '../mutation.ts';

/** What is held against an image, and what against others. */
export const RULES_OF_BLAME: readonly Mutation[] = [
  {
    rule: 'a registry that can’t be reached may be for what the image lacks',
    harm: 'A roll goes on though no task starts on the new image.',
    find: 'says: /CannotPull\\w*Error\\b.*(manifest unknown',
    replace: 'says: /CannotPull\\w*Error\\b.*(|manifest unknown',
  },
  {
    rule: 'tasks of a deployment that has never succeeded are not held against the image',
    harm: 'A good image is rejected for what its owner deploys during the roll.',
    find: 'crash.deploymentId === deployment.id;',
    replace: "crash.deploymentId === '';",
  },
  {
    rule: 'tasks of a deployment that has succeeded once are held against the image',
    harm: 'A bad image is rolled out as no task of it counts.',
    find: 'deployment !== undefined && !deployment.succeeded && crash',
    replace: 'deployment !== undefined && crash',
  },
  {
    rule: 'a service whose tasks crash as often on old instances says nothing of the image',
    harm: 'A good image is rejected for a fault of a service.',
    find: '(old.length * OFTENER) / oldCount >= fresh.length / replacements.length;',
    replace: '(old.length * OFTENER) / oldCount < 0;',
  },
  {
    rule: 'nothing more drains where a service starts nowhere',
    harm: 'Every drain stops tasks of a service whose container image is deleted, until none is left.',
    find: '    stopForUnmovable(assessment, rules) ??\n',
    replace: '',
  },
  {
    rule: 'what is limited for a while holds no roll up',
    harm: "A registry's rate limit ends a roll that needs nothing but time.",
    find: '    .filter((crash) => exonerationOf(crash)?.everywhere)\n',
    replace: '',
  },
  {
    rule: 'a service that was ill before the roll does not hold it up as one that starts nowhere',
    harm: 'A service that has been broken for weeks keeps every roll from going on.',
    find: 'roll.unsteady.every((each) => each.name !== name)',
    replace: 'roll.unsteady.every(() => name.length > 0)',
  },
  {
    rule: 'an instance that drains gets the tasks of a service back that starts nowhere else',
    harm: 'The last tasks of the service end with the instance.',
    find: 'return hadTasksOn(service, containerInstances, observation) ? [crash] : [];',
    replace: 'return [];',
  },
  {
    rule: 'tasks that crashed a moment before the roll do not count as running then',
    harm: 'A service that was ill before holds the roll up whenever its tasks crash again.',
    find: 'isLooping ? within(RESTART_SECONDS, own, now) : 0',
    replace: '0',
  },
  {
    rule: 'a service that is being deployed is not ill',
    harm: 'Its deployment is not waited for, and its tasks are drained in the middle of it.',
    find: '  if (deploying && runningCount >= desiredCount) return false;\n',
    replace: '',
  },
  {
    rule: 'a deployment gets nowhere once as many of its tasks have failed as ECS would allow it',
    harm: 'A deployment that fails for ever holds a roll up for two hours.',
    find: 'if (failedTasks >= Math.min(',
    replace: 'if (failedTasks > 999 + Math.min(',
  },
  {
    rule: 'a deployment has the time that it bakes beside its own',
    harm: 'One that gets on as its owner has it is drained away under its tasks.',
    find: 'seconds + bakeSeconds, now',
    replace: 'seconds, now',
  },
  {
    rule: 'a deployment that failed for good is not under way',
    harm: 'Every drain of the cluster waits until somebody deploys that service again.',
    find: '  if (hasFailed(service)) return false;\n',
    replace: '',
  },
];
