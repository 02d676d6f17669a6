import type { Answer } from './in-process.ts';

/** What the server tells of itself. */
export interface Page {
  readonly contentType: string;
  readonly body: string;
}

/** By path. No operation of AWS's is called below `/_`. */
export type Pages = Readonly<Record<`/_${string}`, () => Page>>;

/** Answers the paths of pages with these, and all others as `answer` does. */
export function withPages(pages: Pages, answer: Answer): Answer {
  const byPath = new Map<string, () => Page>(Object.entries(pages));
  return async (request) => {
    const page = byPath.get(request.path)?.();
    if (page === undefined) return answer(request);
    const headers = { 'content-type': page.contentType };
    return { statusCode: 200, headers, body: Buffer.from(page.body) };
  };
}
