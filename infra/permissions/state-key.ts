import type { Permission } from './permission.ts';

/**
 * Lets a function derive its seals: once per process and generation, so that each use shows in CloudTrail.
 */
export function stateKeyPermissions(stateKeyArn: string): Permission[] {
  return [{ actions: ['kms:GenerateMac'], resources: [stateKeyArn] }];
}
