import { GetParameterCommand, GetParametersCommand } from '@aws-sdk/client-ssm';
import { NAMES } from '../account.ts';
import { type Step, step } from './step.ts';

export const SSM_STEPS: readonly Step[] = [
  step('get a parameter, and one that is unknown', ({ ssm }) =>
    ssm.send(new GetParametersCommand({ Names: [NAMES.parameter, '/unknown'] })),
  ),
  step('get an unknown parameter', ({ ssm }) => ssm.send(new GetParameterCommand({ Name: '/unknown' }))),
];
