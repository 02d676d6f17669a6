import { ANYBODYS_CUSTOMS, type Customs } from './customs.ts';

/**
 * For a roller that tags each instance before it drains or ends it, and removes its tags from whatever stays.
 * @param prefix that all keys of its tags begin with
 */
export function customsByTags(prefix: string): Customs {
  const isOwn = (key: string) => key.startsWith(prefix);
  const isMarked = ({ tags }: { readonly tags: ReadonlyMap<string, unknown> }) =>
    [...tags.keys()].some(isOwn);
  return {
    ...ANYBODYS_CUSTOMS,
    isMarked,
    isGoing: isMarked,
    tagsLeftOn: ({ tags }) => [...tags.keys()].filter(isOwn),
  };
}
