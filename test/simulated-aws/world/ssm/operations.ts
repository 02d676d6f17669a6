import { GetParameterCommand, GetParametersCommand, type Parameter } from '@aws-sdk/client-ssm';
import { AwsError, type Operation, on } from '../../operation.ts';
import { assertAtMost } from '../paging.ts';
import type { State } from '../state.ts';

export function parameterOperations(state: State): Operation[] {
  return [
    on(GetParameterCommand, (input) => {
      const parameter = find(state, input.Name ?? '');
      if (!parameter) throw new AwsError('ParameterNotFound', `${input.Name} not found.`);
      return { Parameter: parameter };
    }),

    on(GetParametersCommand, (input) => {
      const names = input.Names ?? [];
      assertAtMost(10, names, 'ValidationException', 'Parameter names');
      return {
        Parameters: names.flatMap((name) => find(state, name) ?? []),
        InvalidParameters: names.filter((name) => !find(state, name)),
      };
    }),
  ];
}

function find(state: State, name: string): Parameter | undefined {
  const value = state.parameters.get(name);
  if (value === undefined) return undefined;
  // Public parameters have no account in their ARN.
  const account = name.startsWith('/aws/') ? '' : state.account;
  return {
    Name: name,
    Type: 'String',
    Value: value,
    Version: 1,
    DataType: 'text',
    ARN: `arn:aws:ssm:${state.region}:${account}:parameter/${name.replace(/^\//, '')}`,
  };
}
