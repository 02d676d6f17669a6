import type { Mutation } from '../mutation.ts';

/** What counts against an image, and what against something else. */
export const RULES_OF_BLAME: readonly Mutation[] = [
  {
    rule: 'a replacement that no load balancer has registered is not held against the image',
    harm: 'A good image is rejected because a target group takes no more targets.',
    find: 'const ofNoImage = health === undefined || unknown',
    replace: 'const ofNoImage = unknown',
  },
  {
    rule: "an unreachable registry may be the image's fault",
    harm: 'A roll goes on although no task starts on the new image.',
    find: 'says: /CannotPull\\w*Error\\b.*(manifest unknown',
    replace: 'says: /CannotPull\\w*Error\\b.*(|manifest unknown',
  },
  {
    rule: 'a container image for another Windows than that of the new image is held against this',
    harm: 'A roll onto another version of Windows is blocked for ever, and never goes back.',
    find: 'no matching manifest for linux|',
    replace: 'no matching manifest|',
  },
  {
    rule: 'tasks in a zone that their load balancer is not enabled in are not held against the image',
    harm: 'A good image is rejected because the first launch came up in such a zone.',
    find: 'const says = barred.get(keyOfHost(crash)) ??',
    replace: 'const says =',
  },
  {
    rule: 'tasks that ECS can register nowhere are not held against the image',
    harm: "A good image is rejected because of a quota of targets, or of ECS's role.",
    find: 'barred.get(keyOfHost(crash)) ?? service?.unregistered;',
    replace: 'barred.get(keyOfHost(crash));',
  },
  {
    rule: 'tasks that ECS can register nowhere do not count as serving',
    harm: 'A service runs on, and nobody reaches it, once all its instances are replaced.',
    find: 'if (unregistered !== undefined && own.length === 0)',
    replace: 'if (unregistered === "" && own.length === 0)',
  },
  {
    rule: 'why tasks do not serve is asked of their load balancer for a while before the image is blamed',
    harm: 'A good image is rejected by an invocation that begins between two such tasks.',
    find: 'const ASKED_SECONDS = 600;',
    replace: 'const ASKED_SECONDS = -1;',
  },
  {
    rule: 'tasks of a deployment that has never succeeded are not held against the image',
    harm: 'A good image is rejected because of what its owner deploys during the roll.',
    find: 'crash.deploymentId === deployment.id;',
    replace: "crash.deploymentId === '';",
  },
  {
    rule: 'tasks of a deployment that has succeeded once are held against the image',
    harm: 'A bad image is rolled out because none of its crashes count.',
    find: 'deployment !== undefined && !deployment.succeeded && crash',
    replace: 'deployment !== undefined && crash',
  },
  {
    rule: 'a trunk interface that EC2 refuses says nothing about the image',
    harm: 'A good image is rejected as a subnet is full.',
    find: 'exonerationOf({ reason }) ? lacking.map(ofNobody) : lacking',
    replace: 'lacking',
  },
  {
    rule: 'a service that crashes as often on old instances says nothing about the image',
    harm: 'A good image is rejected because of a faulty service.',
    find: '(old.length * OFTENER) / oldCount >= fresh.length / compared.length;',
    replace: '(old.length * OFTENER) / oldCount < 0;',
  },
  {
    rule: 'services whose tasks run without serving are not steady',
    harm: 'An image on which tasks run and never serve passes its trial.',
    find: 'if (isEnough) return [];',
    replace: 'if (isEnough || !isEnough) return [];',
  },
  {
    rule: 'a service that ran without serving before holds no roll up',
    harm: 'Nothing rolls as long as one service has an unhealthy task.',
    find: 'const without = Math.max(restarting, sick.length);',
    replace: 'const without = restarting;',
  },
  {
    rule: 'an image on which tasks never serve is rejected',
    harm: 'The roll stays in its trial for ever.',
    find: 'const reason = loop ?? stayingUnhealthy(assessment);',
    replace: 'const reason = loop;',
  },
  {
    rule: 'nothing more drains while a service starts nowhere',
    harm: 'Every drain stops tasks of a service whose container image is deleted, until none are left.',
    find: '    stopForUnmovable(assessment, rules) ??\n    replaceWarm',
    replace: '    replaceWarm',
  },
  {
    rule: 'a service that was unhealthy before the roll does not block it for starting nowhere',
    harm: 'A service that has been broken for weeks stops every roll.',
    find: 'roll.unsteady.every((each) => each.name !== name)',
    replace: 'roll.unsteady.every(() => name.length > 0)',
  },
  {
    rule: 'a draining instance gets its tasks back when their service starts nowhere else',
    harm: "The service's last tasks end with the instance.",
    find: 'return hadTasksOn(service, containerInstances, observation) ? [crash] : [];',
    replace: 'return [];',
  },
  {
    rule: 'tasks that crashed just before the roll do not count as running at its start',
    harm: 'A service that was unhealthy before holds the roll up whenever its tasks crash again.',
    find: 'isLooping ? within(RESTART_SECONDS, own, now) : 0',
    replace: '0',
  },
  {
    rule: 'a service that is being deployed is not unhealthy',
    harm: 'Nobody waits for its deployment, and its tasks are drained in the middle of it.',
    find: '  if (deploying && runningCount >= desiredCount) return false;\n',
    replace: '',
  },
  {
    rule: 'a deployment is stuck once as many of its tasks have failed as ECS would allow',
    harm: 'A deployment that keeps failing holds a roll up for two hours.',
    find: 'if (failedTasks >= Math.min(',
    replace: 'if (failedTasks > 999 + Math.min(',
  },
  {
    rule: "a deployment's own bake time is added to the time it gets",
    harm: 'Tasks are drained during a deployment that is proceeding as its owner intends.',
    find: 'seconds + bakeSeconds, now',
    replace: 'seconds, now',
  },
  {
    rule: 'a deployment that has failed is no longer in progress',
    harm: 'Every drain in the cluster waits until somebody deploys that service again.',
    find: "if (state === 'FAILED' || state === 'COMPLETED') return false;",
    replace: "if (state === 'COMPLETED') return false;",
  },
  {
    rule: 'a deployment that is completed is no longer in progress',
    harm: 'Protected tasks of the one before it hold up a roll for two weeks.',
    find: "if (state === 'FAILED' || state === 'COMPLETED') return false;",
    replace: "if (state === 'FAILED') return false;",
  },
  {
    rule: 'a deployment that shifts traffic is waited for until it ends',
    harm: 'The tasks that have the traffic are drained, and may not be started again.',
    find: 'if (shift !== undefined)\n    return',
    replace: 'if (shift?.mostSeconds !== undefined)\n    return',
  },
];
