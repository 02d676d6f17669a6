import { GROUP_TAGS, TAG_PARTS, type Tags } from '../contract.ts';
import type { PreviousLaunchSpec } from '../core/model/launch.ts';
import { readWords, writeWords } from './tag-values.ts';

/**
 * What a group launched from before its roll, a word each; five fit into one tag:
 *
 * - `=name`: the launch configuration of that name
 * - `lt-1:7/ami-2`: version 7 of the launch template lt-1, which got the image ami-2
 * - `ami-1/ami-2`: overrides with the image ami-1, which got ami-2
 */
export function previousTags(previous: readonly PreviousLaunchSpec[]): Tags {
  return writeWords(GROUP_TAGS.previous, TAG_PARTS.previous, previous.map(wordOf));
}

/** Reads what `previousTags` has written; skips malformed words. */
export function readPrevious(tags: Tags): PreviousLaunchSpec[] {
  return readWords(tags, GROUP_TAGS.previous, TAG_PARTS.previous).flatMap((word) => read(word) ?? []);
}

function wordOf(spec: PreviousLaunchSpec): string {
  switch (spec.kind) {
    case 'launch-configuration':
      return `=${escaped(spec.name)}`;
    case 'launch-template':
      return `${spec.templateId}:${spec.version}/${spec.imageId}`;
    case 'override':
      return `${spec.before}/${spec.imageId}`;
  }
}

const LAUNCH_TEMPLATE = /^(?<templateId>lt-[^:/]+):(?<version>[1-9]\d*)\/(?<imageId>ami-[0-9a-f]+)$/;
const OVERRIDE = /^(?<before>ami-[0-9a-f]+)\/(?<imageId>ami-[0-9a-f]+)$/;

function read(word: string): PreviousLaunchSpec | undefined {
  if (word.startsWith('=')) {
    const name = unescaped(word.slice(1));
    return name ? { kind: 'launch-configuration', name } : undefined;
  }
  const { templateId, version, imageId } = LAUNCH_TEMPLATE.exec(word)?.groups ?? {};
  if (templateId !== undefined && imageId !== undefined)
    return { kind: 'launch-template', templateId, version: Number(version), imageId };
  const override = OVERRIDE.exec(word)?.groups;
  if (override?.before === undefined || override.imageId === undefined) return undefined;
  return { kind: 'override', before: override.before, imageId: override.imageId };
}

/**
 * A tag's value doesn't take every character that a name may have: `my config` becomes `my=20config`, by
 * its UTF-8 bytes.
 */
function escaped(name: string): string {
  return encodeURIComponent(name)
    .replace(/[!~*'()]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)
    .replaceAll('%', '=');
}

function unescaped(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('=', '%'));
  } catch {
    // Somebody changed it.
    return undefined;
  }
}
