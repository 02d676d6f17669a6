import { ANYBODYS_CUSTOMS, type Customs } from './customs.ts';

/**
 * Of a roller that tags each instance that is to go before it does anything to it, and removes its tags from what stays.
 * @param prefix what the keys of all its tags begin with
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
