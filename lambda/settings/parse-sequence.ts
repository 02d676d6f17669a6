import { inflateRawSync } from 'node:zlib';
import { MOST_CONCURRENT, type Sequence, type Stage, type StageMembers } from '../core/sequence/model.ts';

/** A sequence that can't be used. `faults` has a sentence for each: what it was and what it may be. */
export class SequenceError extends Error {
  override readonly name = 'SequenceError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The sequence is not usable: ${faults.join('; ')}`);
    this.faults = faults;
  }
}

/** The word that a mistyped one probably meant. */
type Nearest = (mistyped: string, words: readonly string[]) => string | undefined;

/** Where a value is, and who is told what is wrong with it. */
interface At {
  readonly path: string;
  readonly faults: string[];
  readonly nearest: Nearest;
}

/** Reads a value, or tells why it can't. */
type ReadField<Value> = (value: unknown, at: At) => Value | undefined;

interface Field<Value> {
  readonly read: ReadField<Value>;
  /** The end of "it may be …". */
  readonly may: string;
  /** What it is if it is absent; without one it may be absent only if that is `optional`. */
  readonly otherwise?: Value;
  readonly isOptional?: true;
}

type Fields<Whole> = { readonly [Key in keyof Whole]-?: Field<Exclude<Whole[Key], undefined>> };

/** Before what is compressed, as Lambda takes 4 KB in a function's environment. */
export const PACKED = 'deflate:';

/** More than the table's policy has room for: what unpacks to more is somebody's mistake. */
const MOST_BYTES = 1_000_000;

/**
 * Stages as their environment variable and file have them: JSON whose keys are those of the model, or that
 * by RFC 1951 in base64.
 *
 * @param nearest finds what a mistyped key meant
 * @throws SequenceError with every fault at once
 */
export function parseSequence(text: string, nearest: Nearest = () => undefined): Sequence {
  const faults: string[] = [];
  const sequence = readSequence(json(text), { path: '', faults, nearest });
  if (sequence === undefined || faults.length > 0) throw new SequenceError(faults);
  return sequence;
}

/** @throws SequenceError */
function json(text: string): unknown {
  try {
    return JSON.parse(text.startsWith(PACKED) ? unpacked(text.slice(PACKED.length)) : text);
  } catch (error) {
    throw new SequenceError([`it isn't JSON: ${error instanceof Error ? error.message : error}`]);
  }
}

function unpacked(base64: string): string {
  return inflateRawSync(Buffer.from(base64, 'base64'), { maxOutputLength: MOST_BYTES }).toString();
}

function scalar<Value>(may: string, is: (value: unknown) => value is Value): Field<Value> {
  const read: ReadField<Value> = (value, { path, faults }) => {
    if (is(value)) return value;
    faults.push(wrong(path, value, may));
    return undefined;
  };
  return { read, may };
}

function wrong(path: string, value: unknown, may: string): string {
  const was = value === undefined ? 'missing' : JSON.stringify(value);
  return `${path} was ${was.length > 80 ? `${was.slice(0, 80)}…` : was}; it may be ${may}`;
}

const text = (may: string, pattern: RegExp) =>
  scalar(may, (value): value is string => typeof value === 'string' && pattern.test(value));

const number = (may: string, least: number, most: number, isAllowed = (_: number) => true) =>
  scalar(
    `${may} from ${least} to ${most}`,
    (value): value is number =>
      typeof value === 'number' && value >= least && value <= most && isAllowed(value),
  );

const count = (least: number, most = 10_000) => number('a whole number', least, most, Number.isInteger);
const hours = (least: number, most: number) => number('a number of hours', least, most);

const oneOf = <Word extends string>(...words: readonly Word[]) =>
  scalar(words.join(' or '), (value): value is Word => words.some((word) => word === value));

/** At least one. */
function list<Item>(may: string, { read }: Pick<Field<Item>, 'read'>): Field<readonly Item[]> {
  const readAll: ReadField<readonly Item[]> = (value, at) => {
    if (Array.isArray(value) && value.length > 0) {
      const items = value.map((item, index) => read(item, { ...at, path: `${at.path}[${index}]` }));
      return items.filter((item) => item !== undefined);
    }
    at.faults.push(wrong(at.path, value, may));
    return undefined;
  };
  return { read: readAll, may };
}

/** @param rules what its fields must be to each other, once each is in order */
function whole<Whole extends object>(
  what: string,
  fields: Fields<Whole>,
  rules: (whole: Whole, at: At) => void = () => {},
): Field<Whole> {
  const keys = Object.keys(fields);
  const may = `an object with ${keys.join(', ')}`;
  const read: ReadField<Whole> = (value, at) => {
    const { path, faults } = at;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      faults.push(wrong(path || what, value, may));
      return undefined;
    }
    const before = faults.length;
    const given = new Map<string, unknown>(Object.entries(value));
    faults.push(...unknownKeys([...given.keys()], keys, what, at));
    const read = Object.entries<Field<unknown>>(fields).flatMap(([key, field]) => {
      const found = given.get(key) ?? field.otherwise;
      if (found === undefined && field.isOptional) return [];
      return [[key, field.read(found, { ...at, path: inside(path, key) })]];
    });
    if (faults.length > before) return undefined;
    // Each field was read by its own of `fields`, which has all of them.
    const all = Object.fromEntries(read) as Whole;
    rules(all, at);
    return all;
  };
  return { read, may };
}

const inside = (path: string, key: string) => (path === '' ? key : `${path}.${key}`);

function unknownKeys(given: readonly string[], known: readonly string[], what: string, at: At): string[] {
  return given
    .filter((key) => !known.includes(key))
    .map((key) => {
      const meant = at.nearest(key, known);
      const advice = meant === undefined ? `there are ${known.join(', ')}` : `did you mean ${meant}?`;
      return `${inside(at.path, key)} isn't a key of ${what}; ${advice}`;
    });
}

const optional = <Value>(field: Field<Value>): Field<Value> => ({ ...field, isOptional: true });
const or = <Value>(otherwise: Value, field: Field<Value>): Field<Value> => ({ ...field, otherwise });

const STACKS = list(
  'one or more names of stacks, in which * is any text',
  text('the name of a stack, in which * is any text, such as "web-*"', /^[\w*-]{1,128}$/),
);

const MEMBERS = whole<StageMembers>("a stage's members", {
  account: text('an account id of 12 digits, in quotes', /^\d{12}$/),
  regions: optional(
    list('one or more Regions', text('a Region, such as "eu-west-1"', /^[a-z]{2,}(-[a-z]+)+-\d+$/)),
  ),
  stacks: optional(STACKS),
});

const STAGE = whole<Stage>(
  'a stage',
  {
    // It is a dimension of metrics, too, which takes ASCII alone.
    name: text(
      '1 to 64 letters, digits, spaces and .-_ of ASCII, the first a letter or digit',
      /^[A-Za-z0-9](?:[\w .-]{0,62}[\w.-])?$/,
    ),
    members: list('one or more objects, each with account, regions, stacks', MEMBERS),
    maxConcurrent: or(1, count(1, MOST_CONCURRENT)),
    tolerate: or(0, count(0)),
    completeWithinHours: or(72, hours(1, 8760)),
    soakHours: or(24, hours(0, 8760)),
    first: optional(STACKS),
    apart: optional(oneOf('region')),
    beforeStage: optional(oneOf('approval')),
    whenEmpty: or('hold', oneOf('hold', 'pass')),
    quorum: or(1, count(1)),
  },
  ({ quorum, members }, { path, faults }) => {
    const accounts = new Set(members.map(({ account }) => account)).size;
    if (quorum > accounts)
      faults.push(wrong(inside(path, 'quorum'), quorum, `no more than the stage's accounts, ${accounts}`));
  },
);

const SEQUENCE = whole<Sequence>('the sequence', {
  stages: list('one or more objects, in the order in which a release goes through them', STAGE),
  haltsSiblings: or(
    true,
    scalar('true or false', (value): value is boolean => typeof value === 'boolean'),
  ),
  silentAfterHours: or(6, hours(1, 720)),
});

function readSequence(value: unknown, at: At): Sequence | undefined {
  const sequence = SEQUENCE.read(value, at);
  at.faults.push(...repeatedNames(value), ...takenMembers(value));
  return sequence;
}

/** Of what was given, as a stage's other faults mustn't hide that it has another's name. */
function stagesIn(value: unknown): Partial<Record<keyof Stage, unknown>>[] {
  const { stages } = Object(value);
  return Array.isArray(stages) ? stages.map(Object) : [];
}

function repeatedNames(value: unknown): string[] {
  const names = stagesIn(value).map(({ name }) => name);
  return names.flatMap((name, index) => {
    const before = names.indexOf(name);
    if (typeof name !== 'string' || before === index) return [];
    return [wrong(`stages[${index}].name`, name, `another than that of stages[${before}]`)];
  });
}

/** A member is of the first stage that names it: one with a whole account leaves nothing to later ones. */
function takenMembers(value: unknown): string[] {
  const named = stagesIn(value).flatMap(({ members }, stage) =>
    (Array.isArray(members) ? members : []).map((each: unknown, index) => ({
      ...(Object(each) as Partial<StageMembers>),
      stage,
      path: `stages[${stage}].members[${index}]`,
    })),
  );
  const wholes = named.filter(({ account, regions, stacks }) => account && !regions && !stacks);
  return named.flatMap(({ account, stage, path }) => {
    const taken = wholes.find((each) => each.account === account && each.stage < stage);
    return taken ? [`${path} names account ${account}, of which ${taken.path} has all`] : [];
  });
}
