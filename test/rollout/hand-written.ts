import { GROUP_TAGS } from '../../lambda/contract.ts';
import type { World } from '../simulated-aws/world/world.ts';

/** Texts by the names that the state of a group has. */
export type HandWritten = Partial<Record<keyof typeof GROUP_TAGS, string>>;

/** Writes state on the tags of the one group of `demo`, as an earlier roll might have left it, or somebody replays it. */
export function writeState({ state }: World, texts: HandWritten): void {
  const group = state.groups.get('demo-ecs');
  if (group === undefined) throw new Error('no group');
  for (const [name, key] of Object.entries(GROUP_TAGS)) {
    const value = texts[name as keyof typeof GROUP_TAGS];
    if (value !== undefined) group.tags.set(key, { value, propagatesAtLaunch: false });
  }
}
