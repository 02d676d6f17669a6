import type { Aws } from '../aws/clients.ts';
import type { Assessment } from '../core/model/assessment.ts';
import type { GroupDetails } from '../core/model/group.ts';
import { providersOf } from './belonging.ts';
import type { GroupLook } from './look.ts';

/** Whether a capacity provider is bound to the group, and scales it. */
export async function capacityProvidersOf(
  aws: Aws,
  { group: { name }, observation: { cluster } }: Assessment,
  { memory }: GroupLook,
): Promise<Pick<GroupDetails, 'hasCapacityProvider' | 'hasManagedScaling' | 'hasManagedProtection'>> {
  const all = await providersOf(aws, cluster, memory);
  const own = all.filter(({ group }) => group === name);
  return {
    hasCapacityProvider: own.length > 0,
    hasManagedScaling: own.some(({ hasManagedScaling }) => hasManagedScaling),
    hasManagedProtection: own.some(({ protectsMembers }) => protectsMembers),
  };
}
