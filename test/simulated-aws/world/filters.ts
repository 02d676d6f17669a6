import { AwsError, notSimulated } from '../account/aws-error.ts';
import { type Filtered, isDocumented } from './ec2/documented-filters.ts';

export interface Filter {
  readonly Name?: string | undefined;
  readonly Values?: readonly string[] | undefined;
}

/** What of an item a filter looks at, by the filter's name. */
export type FilterFields<Item> = Readonly<Record<string, (item: Item) => readonly (string | undefined)[]>>;

/** What an operation filters, and by what. */
export interface Filterable<Item> {
  readonly operation: Filtered;
  readonly fields: FilterFields<Item>;
  /** None: AWS has no filters of tags there. */
  readonly tagsOf?: (item: Item) => ReadonlyMap<string, string>;
}

const MAX_FILTERS = 50;
const MAX_VALUES = 200;
const MAX_CHARACTERS = 255;

/**
 * Which items EC2 lets through: all filters must match, of each any value. A value may hold `*` and `?`.
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/Using_Filtering.html
 */
export function ec2Filter<Item>(
  filters: readonly Filter[] | undefined,
  filtered: Filterable<Item>,
): (item: Item) => boolean {
  demandFew(filters ?? []);
  const tests = (filters ?? []).map(({ Name: name = '', Values = [] }) => {
    const field = fieldFor(name, filtered);
    const matches = valueMatcher(Values);
    return (item: Item) => field(item).some((value) => value !== undefined && matches(value));
  });
  return (item) => tests.every((test) => test(item));
}

/**
 * "You can specify up to 50 filters and up to 200 total filter values in a single request. Filter strings can
 * be up to 255 characters in length."
 */
function demandFew(filters: readonly Filter[]) {
  const values = filters.flatMap(({ Values = [] }) => Values);
  // ledger: filters-most, filter-values-most
  if (filters.length > MAX_FILTERS || values.length > MAX_VALUES)
    throw new AwsError(
      'FilterLimitExceeded',
      `${filters.length} filters with ${values.length} values: at most ${MAX_FILTERS} with ${MAX_VALUES} values in all`,
    );
  const long = values.find(({ length }) => length > MAX_CHARACTERS);
  // ledger: filter-values-length
  if (long !== undefined)
    throw new AwsError('InvalidParameterValue', `A filter value of more than ${MAX_CHARACTERS} characters`);
}

function fieldFor<Item>(name: string, { operation, fields, tagsOf }: Filterable<Item>) {
  if (tagsOf && name === 'tag-key') return (item: Item) => [...tagsOf(item).keys()];
  if (tagsOf && name.startsWith('tag:')) {
    const key = name.slice('tag:'.length);
    return (item: Item) => [tagsOf(item).get(key)];
  }
  const field = fields[name];
  if (field) return field;
  if (isDocumented(operation, name)) throw notSimulated(`ec2.${operation}: Filters ${name}`);
  // ledger: filter-unknown
  throw new AwsError('InvalidParameterValue', `The filter '${name}' is invalid`);
}

function valueMatcher(values: readonly string[]) {
  const exact = new Set(values.filter((value) => !/[*?\\]/.test(value)));
  const patterns = values.filter((value) => !exact.has(value)).map(toPattern);
  return (value: string) => exact.has(value) || patterns.some((pattern) => pattern.test(value));
}

/** `*` is any text, `?` one character or none; a backslash takes the meaning away. */
export function toPattern(value: string): RegExp {
  const source = value.replace(/\\[*?\\]|[*?]|[.+^${}()|[\]\\]/g, (part) => {
    if (part === '*') return '.*';
    if (part === '?') return '.?';
    return part.startsWith('\\') && part.length > 1 ? part : `\\${part}`;
  });
  return new RegExp(`^${source}$`, 's');
}
