import { GROUP_TAGS } from '../../lambda/contract.ts';
import { sealedTags } from '../sealed.ts';
import type { World } from '../simulated-aws/world/world.ts';

/** Texts by the names that the state of a group has. */
export type HandWritten = Partial<Record<keyof typeof GROUP_TAGS, string>>;

/**
 * Writes state on the tags of the one group of `demo`, sealed, as an earlier roll might have left it, or
 * somebody replays it.
 */
export function writeState({ state }: World, texts: HandWritten): void {
  const group = state.groups.get('demo-ecs');
  if (group === undefined) throw new Error('no group');
  const written = Object.entries(GROUP_TAGS).flatMap(([name, key]) => {
    const text = texts[name as keyof typeof GROUP_TAGS];
    return text === undefined ? [] : [[key, text] as const];
  });
  const sealed = sealedTags(group, texts.cluster ?? 'demo', Object.fromEntries(written));
  for (const [key, value] of Object.entries(sealed))
    group.tags.set(key, { value, propagatesAtLaunch: false });
}
