import { AGENT_VERSION } from '../ec2/public-parameters.ts';
import { invalidParameter } from './lookup.ts';
import type { ContainerInstance } from './model.ts';

type Test = (containerInstance: ContainerInstance) => boolean;

const TOKEN = /\s*("[^"]*"|'[^']*'|&&|\|\||[!=<>]=|=~|!~|!in\b|!exists\b|[()[\],<>!]|[^\s()[\],<>!=&|"']+)/y;
const PATTERN = /\s*("[^"]*"|'[^']*'|[^\s)]+)/y;

/** Each expression is parsed only once, though every instance is checked for every task. */
const READ = new Map<string, Test>();

/**
 * Which container instances an expression selects; what has no such attribute is unequal to every value.
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/cluster-query-language.html
 */
export function selects(expression: string): Test {
  const test = READ.get(expression) ?? read(expression);
  READ.set(expression, test);
  return test;
}

function read(expression: string): Test {
  let at = 0;
  const next = (token = TOKEN): string => {
    token.lastIndex = at;
    const found = token.exec(expression);
    // ledger: list-hosts-expression
    if (!found) throw invalidParameter(`Invalid expression: ${expression}`);
    at = token.lastIndex;
    return found[1] ?? '';
  };
  const peek = () => {
    const before = at;
    const token = at < expression.trimEnd().length ? next() : '';
    at = before;
    return token;
  };
  const takes = (...tokens: readonly string[]) => tokens.includes(peek()) && next() !== '';
  const expect = (token: string) => {
    // ledger: list-hosts-expression
    if (!takes(token)) throw invalidParameter(`Invalid expression: ${expression}`);
  };

  const either = (): Test => {
    const first = both();
    if (!takes('||', 'or')) return first;
    const rest = either();
    return (one) => first(one) || rest(one);
  };
  const both = (): Test => {
    const first = single();
    if (!takes('&&', 'and')) return first;
    const rest = both();
    return (one) => first(one) && rest(one);
  };
  const single = (): Test => {
    if (takes('!', 'not')) {
      const test = single();
      return (one) => !test(one);
    }
    if (!takes('(')) return comparison();
    const test = either();
    expect(')');
    return test;
  };
  const comparison = (): Test => {
    const values = valuesOf(next());
    const operator = next();
    switch (operator) {
      case 'exists':
        return (one) => values(one).length > 0;
      case '!exists':
      case 'not_exists':
        return (one) => values(one).length === 0;
      case 'in':
      case '!in':
      case 'not_in': {
        const list = listed();
        return (one) => values(one).some((value) => list.includes(value)) === (operator === 'in');
      }
      case '=~':
      case 'matches':
      case '!~':
      case 'not_matches': {
        const pattern = new RegExp(`^(?:${bare(next(PATTERN))})$`);
        const wanted = operator === '=~' || operator === 'matches';
        return (one) => values(one).some((value) => pattern.test(value)) === wanted;
      }
      case '==':
      case 'equals':
      case '!=':
      case 'not_equals': {
        const argument = bare(next());
        return (one) => values(one).includes(argument) === (operator === '==' || operator === 'equals');
      }
      default: {
        const argument = bare(next());
        return (one) => values(one).some((value) => compares(value, operator, argument));
      }
    }
  };
  const listed = (): string[] => {
    expect('[');
    const list = [bare(next())];
    while (takes(',')) list.push(bare(next()));
    expect(']');
    return list;
  };

  const test = either();
  // ledger: list-hosts-expression
  if (peek() !== '') throw invalidParameter(`Invalid expression: ${expression}`);
  return test;
}

const bare = (token: string) => token.replace(/^(["'])(.*)\1$/, '$2');

function compares(value: string, operator: string, argument: string): boolean {
  const order = value.localeCompare(argument, 'en', { numeric: true });
  switch (operator) {
    case '>':
    case 'greater_than':
      return order > 0;
    case '>=':
    case 'greater_than_equal':
      return order >= 0;
    case '<':
    case 'less_than':
      return order < 0;
    case '<=':
    case 'less_than_equal':
      return order <= 0;
    default:
      // ledger: list-hosts-expression
      throw invalidParameter(`Invalid operator: ${operator}`);
  }
}

function valuesOf(subject: string): (containerInstance: ContainerInstance) => readonly string[] {
  if (subject.startsWith('attribute:')) {
    const name = subject.slice('attribute:'.length);
    return ({ attributes }) => (attributes.has(name) ? [attributes.get(name) ?? ''] : []);
  }
  switch (subject) {
    case 'ec2InstanceId':
      return ({ instance }) => [instance.id];
    case 'agentVersion':
      return () => [AGENT_VERSION];
    case 'agentConnected':
      return ({ agentConnected }) => [String(agentConnected)];
    case 'registeredAt':
      return ({ registeredAtMs }) => [new Date(registeredAtMs).toISOString()];
    case 'runningTasksCount':
      return ({ tasks }) => [String([...tasks].filter((task) => task.lastStatus === 'RUNNING').length)];
    case 'task:group':
      return ({ tasks }) => [...tasks].map(({ group }) => group);
    default:
      // ledger: list-hosts-expression
      throw invalidParameter(`Invalid subject: ${subject}`);
  }
}
