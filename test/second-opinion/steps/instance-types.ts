import {
  type _InstanceType,
  DescribeInstanceTypesCommand,
  type DescribeInstanceTypesCommandInput,
  type Filter,
} from '@aws-sdk/client-ec2';
import type { Account } from '../account.ts';
import { type Step, step } from './step.ts';

/** All that are simulated. */
const NAMES: readonly _InstanceType[] = [
  'm5.large',
  'm5a.large',
  'm5.xlarge',
  'c5.large',
  't3.medium',
  'g4dn.xlarge',
  'inf1.xlarge',
  'trn1.2xlarge',
  'm6g.large',
  'm7g.large',
  'c6g.large',
  'g5g.xlarge',
];

const describe = (input: DescribeInstanceTypesCommandInput) => (at: Account) =>
  at.ec2.send(new DescribeInstanceTypesCommand(input));
const filtered = (...Filters: Filter[]) => describe({ Filters });
const named = (...Values: string[]): Filter => ({ Name: 'instance-type', Values });

export const INSTANCE_TYPE_STEPS: readonly Step[] = [
  step('describe instance types by name', describe({ InstanceTypes: [...NAMES] })),
  step(
    'describe instance types by a filter, one unknown',
    filtered(named('m5.large', 'm6g.large', 'x9z.huge')),
  ),
  step('describe instance types by a pattern', filtered(named('m5.xlar*'))),
  step(
    'describe instance types by architecture',
    filtered(named(...NAMES), { Name: 'processor-info.supported-architecture', Values: ['arm64'] }),
  ),
  step(
    'describe an unknown instance type by name',
    describe({ InstanceTypes: ['m5.large', 'x9z.huge' as 'm5.large'] }),
  ),
  step('describe an unknown instance type by a filter', filtered(named('x9z.huge'))),
];
