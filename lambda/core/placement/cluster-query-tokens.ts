/** Longer operators come first, lest their beginning be taken for another. */
const TOKEN =
  /^(?:"[^"]*"|'[^']*'|&&|\|\||==|!=|>=|<=|=~|!~|!exists\b|!in\b|[<>()[\],!]|[^\s()[\],'"<>=!&|~]+)/;

const MATCHES: ReadonlySet<string> = new Set(['=~', 'matches', '!~', 'not_matches']);

/** A pattern that isn't quoted goes to the next blank, whatever it is made of. */
const PATTERN = /^(?:"[^"]*"|'[^']*'|\S+)/;

/** @returns the parts of an expression of the cluster query language; undefined where one can't be told */
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

/** A closing parenthesis that the pattern doesn't open is the expression's. */
function withoutClosing(pattern: string): string {
  let shorter = pattern;
  while (shorter.length > 1 && shorter.endsWith(')') && count(shorter, ')') > count(shorter, '('))
    shorter = shorter.slice(0, -1);
  return shorter;
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}
