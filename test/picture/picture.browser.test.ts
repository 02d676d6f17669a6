import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { pictureOf } from '../../lambda/picture/picture.ts';
import { many, ROLL } from './rolls.ts';

/** The browser to draw in, such as Debian's `chromium`; CI names it. */
const { CHROMIUM } = process.env;

const MEASURED = z.object({ overflow: z.number(), bars: z.number(), height: z.number(), paper: z.string() });

const LONG = {
  ...ROLL,
  cluster: 'a-cluster-with-quite-a-long-name-'.repeat(3),
  waitsFor: `${'x'.repeat(300)} drains`,
  services: ROLL.services.map((each) => ({ ...each, name: 'a-service-with-quite-a-long-name-'.repeat(3) })),
};

describe.skipIf(CHROMIUM === undefined)('in a browser, the picture', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ecs-ami-deploy-picture-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** Draws it in a frame of this width, and measures what came of it. */
  async function measured(fragment: string, width: number): Promise<z.infer<typeof MEASURED>> {
    const page = join(folder, 'page.html');
    const quoted = fragment.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    await writeFile(
      page,
      `<!doctype html><iframe srcdoc="${quoted}" style="width:${width}px;height:800px;border:0"></iframe>
<script>onload = () => {
  const { contentDocument: page, contentWindow: frame } = document.querySelector('iframe');
  const bars = [...page.querySelectorAll('rect')].filter((bar) => bar.getBoundingClientRect().width > 1);
  const root = page.querySelector('.ead');
  document.title = JSON.stringify({
    overflow: page.documentElement.scrollWidth - frame.innerWidth,
    bars: bars.length,
    height: root.getBoundingClientRect().height,
    paper: frame.getComputedStyle(root).backgroundColor,
  });
};</script>`,
    );
    const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--virtual-time-budget=2000', '--dump-dom'];
    const { stdout } = await promisify(execFile)(CHROMIUM ?? '', [...flags, pathToFileURL(page).href], {
      maxBuffer: 2 ** 26,
    });
    const [, title = ''] = /<title>(.*?)<\/title>/.exec(stdout) ?? [];
    return MEASURED.parse(JSON.parse(title));
  }

  test.each([360, 588, 1100])('shows each bar, and nothing stands out, at %i px', async (width) => {
    for (const roll of [ROLL, LONG]) {
      const { overflow, bars, height } = await measured(pictureOf(roll, 'light').text, width);
      expect({ overflow, bars }).toEqual({ overflow: 0, bars: 5 });
      expect(height).toBeGreaterThan(150);
    }
  });

  test('shows 250 instances on less than two screens', async () => {
    const { bars, height } = await measured(pictureOf({ ...ROLL, instances: many(250) }, 'light').text, 360);
    expect(bars).toBe(125 * 5);
    expect(height).toBeLessThan(1700);
  });

  test('has a dark and a light paper', async () => {
    const dark = await measured(pictureOf(ROLL, 'dark').text, 588);
    const light = await measured(pictureOf(ROLL, 'light').text, 588);
    expect([light.paper, dark.paper]).toEqual(['rgb(255, 255, 255)', 'rgb(22, 29, 38)']);
  });
});
