/** JSON, as it is written in a fixture. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/**
 * Fields whose text is one of AWS's own words, and doesn't show whose account it is. All other text is
 * replaced by its kind: anything not known to be harmless is dropped.
 */
const KEPT = new Set([
  'Architecture',
  'HealthStatus',
  'InstanceType',
  'LifecycleState',
  'ProcessName',
  'State',
  'Status',
  'StatusCode',
  'VolumeType',
  'desiredStatus',
  'lastStatus',
  'launchType',
  'reason',
  'rolloutState',
  'schedulingStrategy',
  'status',
  'type',
]);

/** Words alone: no digit, by which ids, addresses and accounts would come along. */
const WORD = /^[A-Za-z]+([-_:/][A-Za-z]+){0,6}$/;

const KINDS: readonly (readonly [pattern: RegExp, scrubbed: string])[] = [
  [/^\d{4}-\d\d-\d\dT[\d:.]+Z$/, '2000-01-01T00:00:00.000Z'],
  [/^arn:/, 'arn:aws:service:region:000000000000:resource'],
  [/^\d{12}$/, '000000000000'],
  [/^\d{1,3}(\.\d{1,3}){3}(\/\d{1,2})?$/, '192.0.2.1'],
  [/^-?\d+(\.\d+)?$/, '0'],
  [/^$/, ''],
];

/** `i-0123456789abcdef0`, `subnet-…` and their like keep what they are of. */
const ID = /^([a-z]{1,12})-[0-9a-f]{8,17}$/;

/** The same shape with nothing in it of the account: no id, ARN, address, time, name or number of its own. */
export function scrub(value: unknown, key = ''): Json {
  if (value instanceof Date) return scrub(value.toISOString());
  if (value instanceof Uint8Array) return 'bytes';
  if (Array.isArray(value)) return value.filter((one) => one !== undefined).map((one) => scrub(one, key));
  if (typeof value === 'object' && value !== null) return scrubFields(value);
  if (typeof value === 'string') return scrubText(value, key);
  if (typeof value === 'number') return 0;
  return typeof value === 'boolean' ? value : null;
}

function scrubFields(value: object): Json {
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields.map(([key, field]) => [key, scrub(field, key)]));
}

function scrubText(text: string, key: string): string {
  const [, of] = ID.exec(text) ?? [];
  if (of !== undefined) return `${of}-00000000000000000`;
  const kind = KINDS.find(([pattern]) => pattern.test(text));
  if (kind) return kind[1];
  return KEPT.has(key) && WORD.test(text) ? text : 'text';
}
