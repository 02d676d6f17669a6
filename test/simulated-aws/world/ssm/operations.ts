import {
  CalendarState,
  type Parameter as Described,
  GetCalendarStateCommand,
  GetParameterCommand,
  GetParametersCommand,
} from '@aws-sdk/client-ssm';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import { assertAtMost } from '../paging.ts';
import type { State } from '../state.ts';
import { findCalendar, isClosed, nextTransition } from './calendars.ts';
import { arnOf, type FoundParameter, findParameter } from './parameters.ts';

const MAX_NAMES = 10;

export function parameterOperations(state: State): Operation[] {
  return [
    on(GetParameterCommand, 'all', (input) => {
      const { Name: name = '' } = input;
      const found = findParameter(state, name);
      if (found) return { Parameter: describe(state, found) };
      const isOnlyVersionMissing = findParameter(state, name.replace(/:[^:/]+$/, '')) !== undefined;
      // ledger: get-parameter-unknown
      throw isOnlyVersionMissing
        ? new AwsError('ParameterVersionNotFound', `Version or label of ${name} not found.`)
        : new AwsError('ParameterNotFound', `${name} not found.`);
    }),

    on(GetParametersCommand, 'all', (input) => {
      const names = input.Names ?? [];
      // ledger: get-parameters-names
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

/** https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetCalendarState.html */
export function calendarOperations(state: State): Operation[] {
  return [
    on(GetCalendarStateCommand, 'all', ({ CalendarNames: names = [], AtTime }) => {
      const calendars = names.map((name) => {
        const calendar = findCalendar(state, name);
        if (calendar !== undefined) return calendar;
        // ledger: calendar-unknown
        throw new AwsError('InvalidDocument', `Document with name ${name} does not exist.`);
      });
      const atMs = AtTime === undefined ? state.clock.now() : Date.parse(AtTime);
      // "the command returns the status of OPEN only if all calendars in the request are open."
      const closed = calendars.some((calendar) => isClosed(calendar, atMs));
      const next = nextTransition(calendars, atMs);
      return {
        State: closed ? CalendarState.CLOSED : CalendarState.OPEN,
        AtTime: isoSeconds(atMs),
        NextTransitionTime: next === undefined ? undefined : isoSeconds(next),
      };
    }),
  ];
}

function isoSeconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
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
