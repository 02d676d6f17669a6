import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** Source files below a folder, as paths from the project's root. */
function sourceFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file));
}

/** What a file imports, types too: paths from the project's root, or names of packages. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].flatMap(
    ([, specifier]) => specifier ?? [],
  );
  return specifiers.map((specifier) =>
    specifier.startsWith('.') ? relative(ROOT, join(ROOT, dirname(file), specifier)) : specifier,
  );
}

/** Each file with those of its imports that may not be. */
function offences(files: readonly string[], mayImport: (imported: string) => boolean): string[] {
  return files.flatMap((file) =>
    importsOf(file)
      .filter((imported) => !mayImport(imported))
      .map((imported) => `${file} imports ${imported}`),
  );
}

const isIn = (folder: string) => (path: string) => path.startsWith(`${folder}/`);
const isOneOf =
  (...paths: string[]) =>
  (path: string) =>
    paths.includes(path);
const isSdk = (name: string) => /^@(aws-sdk|smithy)\//.test(name);

describe('imports go one way', () => {
  test('there is something to look at', () => {
    expect(sourceFiles('lambda').flatMap(importsOf).length).toBeGreaterThan(100);
  });

  test('lambda/core imports nothing outside itself', () => {
    expect(offences(sourceFiles('lambda/core'), isIn('lambda/core'))).toEqual([]);
  });

  test('lambda/core has no clock, no environment, no randomness and nothing asynchronous', () => {
    const impure =
      /\bDate\.now\b|new Date\(\)|\bprocess\.|Math\.random|\basync\b|\bawait\b|\bPromise\b|\bconsole\b/;
    const found = sourceFiles('lambda/core').filter((file) =>
      impure.test(readFileSync(join(ROOT, file), 'utf8')),
    );
    expect(found).toEqual([]);
  });

  test('the SDK is named in lambda/aws alone', () => {
    const elsewhere = [...sourceFiles('lambda'), ...sourceFiles('infra')].filter(
      (file) => !isIn('lambda/aws')(file),
    );
    expect(offences(elsewhere, (imported) => !isSdk(imported))).toEqual([]);
  });

  test('lambda/aws knows the model and the names, not what is done with them', () => {
    const mayImport = isOneOf(
      'node:crypto',
      'lambda/contract.ts',
      'lambda/tags.ts',
      'lambda/seal.ts',
      'lambda/sealed-tags.ts',
      'lambda/core/model.ts',
      'lambda/core/launch.ts',
      'lambda/core/placement-model.ts',
      'lambda/core/budget.ts',
      'lambda/core/own-launch-specs.ts',
    );
    const allowed = (imported: string) =>
      isSdk(imported) || isIn('lambda/aws')(imported) || mayImport(imported);
    expect(offences(sourceFiles('lambda/aws'), allowed)).toEqual([]);
  });

  test.each([
    ['lambda/rollout.ts', 'lambda/handler.ts'],
    ['lambda/take-order.ts', 'lambda/orders-handler.ts'],
    ['lambda/handler.ts', 'lambda/index.ts'],
    ['lambda/orders-handler.ts', 'lambda/index.ts'],
    ['lambda/index.ts', undefined],
  ])('nothing in lambda knows %s but %s', (known, by) => {
    const others = sourceFiles('lambda').filter((file) => file !== by);
    expect(offences(others, (imported) => imported !== known)).toEqual([]);
  });

  test('infra knows of the function its names and its settings only', () => {
    const ofLambda = (imported: string) =>
      imported === 'lambda/contract.ts' || isIn('lambda/settings')(imported);
    expect(
      offences(sourceFiles('infra'), (imported) => !isIn('lambda')(imported) || ofLambda(imported)),
    ).toEqual([]);
  });

  test('what is shipped never imports tests', () => {
    const shipped = [...sourceFiles('lambda'), ...sourceFiles('infra')];
    expect(offences(shipped, (imported) => !isIn('test')(imported))).toEqual([]);
  });
});
