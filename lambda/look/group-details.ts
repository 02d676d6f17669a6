import type { Aws } from '../aws/clients.ts';
import { withGroupDetails } from '../core/group/assess.ts';
import type { Assessment } from '../core/model/assessment.ts';
import type { GroupDetails } from '../core/model/group.ts';
import { capacityProvidersOf } from './capacity-providers.ts';
import { failedLaunchesOf } from './failed-launches.ts';
import { formerConfigurationsOf } from './former-configurations.ts';
import { entriesOf } from './in-service-times.ts';
import { instanceRefreshOf } from './instance-refresh.ts';
import { launchHistoryOf } from './launch-history.ts';
import type { GroupLook } from './look.ts';
import { targetHealthOf, zonesOf } from './target-health.ts';
import { protectedInTurn } from './termination-protection.ts';
import { endingsOf } from './terminations.ts';

/** Reads one thing about a concerned group, if the decision will need it. */
type ReadDetail = (aws: Aws, assessment: Assessment, look: GroupLook) => Promise<GroupDetails>;

/** Each gets what those before it have read. */
const DETAILS: readonly ReadDetail[] = [
  instanceRefreshOf,
  targetHealthOf,
  zonesOf,
  endingsOf,
  failedLaunchesOf,
  formerConfigurationsOf,
  entriesOf,
  capacityProvidersOf,
  launchHistoryOf,
  protectedInTurn,
];

/** Reads what matters only for a group that is rolled, or will be. */
export async function readGroupDetails(
  aws: Aws,
  assessment: Assessment,
  look: GroupLook,
): Promise<Assessment> {
  let detailed = assessment;
  for (const read of DETAILS) detailed = withGroupDetails(detailed, await read(aws, detailed, look));
  return detailed;
}
