import type { Aws } from '../aws/clients.ts';
import { describeLaunchConfigurations } from '../aws/launch-configurations.ts';
import { configurationsToVerify } from '../core/launch-spec/restore-configuration.ts';
import type { Assessment } from '../core/model/assessment.ts';
import type { GroupDetails } from '../core/model/group.ts';

/**
 * Read at each look while one is still to be given back: somebody may make another of the same name
 * meanwhile.
 */
export async function formerConfigurationsOf(
  aws: Aws,
  { group, launch }: Assessment,
): Promise<Pick<GroupDetails, 'formerConfigurations'>> {
  const names = configurationsToVerify(group, launch);
  if (names.length === 0) return {};
  const found = await describeLaunchConfigurations(aws, names);
  return { formerConfigurations: new Map(found.map(({ name, uuid }) => [name, uuid])) };
}
