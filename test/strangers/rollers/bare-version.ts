import type { AutoScalingGroup } from '@aws-sdk/client-auto-scaling';
import { addVersion, follow } from '../change.ts';
import type { Job, Roller } from '../roller.ts';
import { mark, rollCarefully } from './careful.ts';

/**
 * Careful, but for the launch template: its new version has neither user data nor profile, security groups or
 * volumes.
 */
export const bareVersion: Roller = {
  name: 'bare-version',
  source: 'scripts that call `aws ec2 create-launch-template-version` without `--source-version`',
  roll: (job) => rollCarefully(job, { launchFrom: launchBare, mark }),
};

async function launchBare(job: Job, group: AutoScalingGroup, ImageId: string): Promise<void> {
  await follow(job, group, await addVersion(job, group, { ImageId, InstanceType: 'm5.large' }));
}
