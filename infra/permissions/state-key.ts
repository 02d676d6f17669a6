import type { Permission } from './permission.ts';

/** To derive what tags are sealed with: once in the life of a process for each generation, so that each shows in CloudTrail. */
export function stateKeyPermissions(stateKeyArn: string): Permission[] {
  return [{ sid: 'MakeSeals', actions: ['kms:GenerateMac'], resources: [stateKeyArn] }];
}
