import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

/** A package that is part of a bundle, with the terms that it comes under. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** As its package.json says it. */
  readonly licence: string;
  /** Its files LICENSE and NOTICE, if it has any. */
  readonly texts: readonly string[];
}

/** Folders of the packages whose code is in what was built. */
export function packageFolders(metafiles: readonly Metafile[]): string[] {
  const inputs = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap((output) =>
      Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
    ),
  );
  const folders = inputs.map((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort();
}

/** @throws Error if the package names no licence: it may not be passed on then */
export async function bundledPackage(root: string, folder: string): Promise<BundledPackage> {
  const { name, version, license } = JSON.parse(
    await readFile(join(root, folder, 'package.json'), 'utf8'),
  ) as Readonly<Partial<Record<'name' | 'version' | 'license', string>>>;
  if (name === undefined || version === undefined || license === undefined)
    throw new Error(`${folder} is in the bundle, but its package.json names no licence`);
  const files = (await readdir(join(root, folder))).filter((file) => /^(licen[cs]e|notice)\b/i.test(file));
  const texts = await Promise.all(files.sort().map((file) => readFile(join(root, folder, file), 'utf8')));
  return { name, version, licence: license, texts: texts.map((text) => text.trim()) };
}

/** One document for all of them; packages with the same text share it. */
export function notices(packages: readonly BundledPackage[]): string {
  const texts = [...new Set(packages.map(textOf))];
  const sections = texts.map((text) => {
    const sharing = packages.filter((each) => textOf(each) === text);
    const names = sharing.map(({ name, version, licence }) => `${name} ${version} (${licence})`);
    return [...names, '', text === '' ? 'Has no file with its licence; see its package.json.' : text].join(
      '\n',
    );
  });
  const heading = 'What the bundles of ecs-ami-deploy hold of others, and under which licence.';
  return `${[heading, ...sections].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

function textOf({ texts }: BundledPackage): string {
  return texts.join('\n\n');
}

/** Of everything that was built from these metafiles, and of these folders besides. */
export async function noticesOf(
  root: string,
  metafiles: readonly Metafile[],
  besides: readonly string[],
): Promise<string> {
  const folders = [...packageFolders(metafiles), ...besides];
  return notices(await Promise.all(folders.map((folder) => bundledPackage(root, folder))));
}
