/** Longer operators come first, as some begin with a shorter one. */
const TOKEN =
  /^(?:"[^"]*"|'[^']*'|&&|\|\||==|!=|>=|<=|=~|!~|!exists\b|!in\b|[<>()[\],!]|[^\s()[\],'"<>=!&|~]+)/;

const MATCHES: ReadonlySet<string> = new Set(['=~', 'matches', '!~', 'not_matches']);

/** An unquoted pattern extends to the next blank, whatever it contains. */
const PATTERN = /^(?:"[^"]*"|'[^']*'|\S+)/;

/** @returns the tokens of an expression of the cluster query language; undefined if one isn't recognized */
export function tokensOf(text: string): string[] | undefined {
  const tokens: string[] = [];
  let rest = text.trimStart();
  while (rest !== '') {
    const isPattern = MATCHES.has(tokens.at(-1) ?? '');
    const [token] = (isPattern ? PATTERN : TOKEN).exec(rest) ?? [];
    if (token === undefined) return undefined;
    const read = isPattern ? withoutClosing(token) : token;
    tokens.push(read);
    rest = rest.slice(read.length).trimStart();
  }
  return tokens;
}

/** If the pattern doesn't open a closing parenthesis, the parenthesis belongs to the expression. */
function withoutClosing(pattern: string): string {
  let shorter = pattern;
  while (shorter.length > 1 && shorter.endsWith(')') && count(shorter, ')') > count(shorter, '('))
    shorter = shorter.slice(0, -1);
  return shorter;
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}
