/** Of the one VPC that there is. */
export interface SecurityGroup {
  readonly id: string;
  readonly name: string;
  /** Whether instances reach ECS through it; what comes in matters to nobody here. */
  readonly allowsOutbound: boolean;
}

/** What launch specs of the world's own name. */
export const SECURITY_GROUP_IDS = ['sg-00000000000000001', 'sg-00000000000000002'] as const;

export const DEFAULT_SECURITY_GROUP_ID = 'sg-0000000000000000d';

/**
 * "A default security group … allows all outbound traffic":
 * https://docs.aws.amazon.com/vpc/latest/userguide/default-security-group.html
 */
export function createSecurityGroups(): Map<string, SecurityGroup> {
  const groups: SecurityGroup[] = [
    { id: DEFAULT_SECURITY_GROUP_ID, name: 'default', allowsOutbound: true },
    ...SECURITY_GROUP_IDS.map((id, index) => ({ id, name: `ecs-${index + 1}`, allowsOutbound: true })),
  ];
  return new Map(groups.map((group) => [group.id, group]));
}
