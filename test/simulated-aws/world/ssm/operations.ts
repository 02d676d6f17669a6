import { type Parameter as Described, GetParameterCommand, GetParametersCommand } from '@aws-sdk/client-ssm';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import { assertAtMost } from '../paging.ts';
import type { State } from '../state.ts';
import { arnOf, type FoundParameter, findParameter } from './parameters.ts';

const MAX_NAMES = 10;

export function parameterOperations(state: State): Operation[] {
  return [
    on(GetParameterCommand, 'all', (input) => {
      const { Name: name = '' } = input;
      const found = findParameter(state, name);
      if (found) return { Parameter: describe(state, found) };
      const isOnlyVersionMissing = findParameter(state, name.replace(/:[^:/]+$/, '')) !== undefined;
      throw isOnlyVersionMissing
        ? new AwsError('ParameterVersionNotFound', `Version or label of ${name} not found.`)
        : new AwsError('ParameterNotFound', `${name} not found.`);
    }),

    on(GetParametersCommand, 'all', (input) => {
      const names = input.Names ?? [];
      assertAtMost(MAX_NAMES, names, 'ValidationException', 'Parameter names');
      const found = names.flatMap((name) => findParameter(state, name) ?? []);
      return {
        // "The results for GetParameters requests are listed in alphabetical order in query responses."
        Parameters: found.map((one) => describe(state, one)).sort(byName),
        InvalidParameters: names.filter((name) => !findParameter(state, name)),
      };
    }),
  ];
}

const byName = ({ Name: a = '' }: Described, { Name: b = '' }: Described) => (a < b ? -1 : Number(a > b));

function describe(state: State, { parameter, version, selector }: FoundParameter): Described {
  return {
    Name: parameter.name,
    Type: 'String',
    Value: version.value,
    Version: version.number,
    Selector: selector,
    LastModifiedDate: new Date(version.changedAtMs),
    DataType: version.dataType,
    ARN: arnOf(state, parameter),
  };
}
