import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

function markdownIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}

const DOCUMENTS = [...markdownIn(''), ...markdownIn('docs'), ...markdownIn('docs/designs')];

function textOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
}

/** As GitHub makes them of headings. */
function anchorsIn(file: string): string[] {
  return [...textOf(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function linksIn(file: string): string[] {
  return [...textOf(file).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^https?:/.test(link));
}

function isBroken(file: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? file : relative(ROOT, join(ROOT, dirname(file), path));
  if (!existsSync(join(ROOT, target))) return true;
  return anchor !== undefined && !anchorsIn(target).includes(anchor);
}

describe('a link in a document', () => {
  test.each(DOCUMENTS)('leads to a file and a heading: %s', (file) => {
    expect(linksIn(file).filter((link) => isBroken(file, link))).toEqual([]);
  });

  test('leads to each page and design from its index', () => {
    for (const folder of ['docs', 'docs/designs']) {
      const linked = linksIn(join(folder, 'README.md'));
      const pages = readdirSync(join(ROOT, folder)).filter((name) => /^(?!README).*\.md$/.test(name));
      expect(linked).toEqual(expect.arrayContaining(pages));
    }
  });
});
