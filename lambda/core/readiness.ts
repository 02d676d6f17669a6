import type { Attached, Standing } from './drift.ts';
import type { Group, Observation } from './model.ts';

/** Something that a group lacks before an old instance may go. */
export interface Lack {
  /** A clause for a person, such as `i-1 is Pending`. */
  readonly what: string;
  /** The new instance that isn't ready; undefined where Auto Scaling has not launched one yet. */
  readonly launchedAt?: Date;
}

/**
 * What keeps the group from being whole without the instances that are to go. Each member that stays must be InService
 * and healthy in the group, ACTIVE in the cluster with its agent connected; and there must be as many members as desired.
 */
export function readiness(group: Group, standing: Standing, observation: Observation): Lack[] {
  const serving = [
    ...standing.current.filter(({ member }) => !isStandby(member.lifecycleState)),
    ...standing.drifted.filter(
      ({ member, instance }) => member.lifecycleState === 'InService' && instance.mark === undefined,
    ),
  ];
  const missing = group.desiredCapacity - serving.length - standing.unseen.length;
  const launched = group.desiredCapacity - missing;
  return [
    ...(missing > 0
      ? [
          {
            what: `Auto Scaling has launched ${launched} of ${group.desiredCapacity} instances`,
          },
        ]
      : []),
    ...standing.unseen.map(({ instanceId }) => ({
      what: `${instanceId} is new and not visible yet`,
    })),
    ...standing.current
      .filter(({ member }) => !isStandby(member.lifecycleState))
      .flatMap((attached) => lacks(attached, observation)),
  ];
}

function lacks({ member, instance }: Attached, observation: Observation): Lack[] {
  const { instanceId, launchedAt } = instance;
  const registered = observation.containerInstances.find((candidate) => candidate.instanceId === instanceId);
  const lack = (what: string): Lack[] => [{ what: `${instanceId} ${what}`, launchedAt }];
  if (member.lifecycleState !== 'InService') return lack(`is ${member.lifecycleState} in the group`);
  if (!member.healthy) return lack('is unhealthy in the group');
  if (registered === undefined) return lack('is InService but not registered in the cluster');
  if (registered.status !== 'ACTIVE') return lack(`is ${registered.status} in the cluster`);
  return registered.agentConnected ? [] : lack('is registered but its agent is not connected');
}

/** Put aside by its owner: it neither counts to the desired capacity nor serves. */
function isStandby(lifecycleState: string): boolean {
  return /Standby/.test(lifecycleState);
}
