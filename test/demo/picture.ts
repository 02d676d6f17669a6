/** `npm run picture`: writes docs/pictures/demo.svg, the demo as a picture that moves. */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import picocolors from 'picocolors';
import { type Frame, movingPicture } from './moving-picture.ts';
import type { RollOptions } from './options.ts';
import { type Progress, timeOf } from './progress.ts';
import { startRoll } from './run.ts';
import { view } from './view.ts';

const FILE = fileURLToPath(new URL('../../docs/pictures/demo.svg', import.meta.url));
const CANVAS = { columns: 88, rows: 34, colors: picocolors.createColors(true) };
/** As the demo does by default, and as fast. */
const SHOWN_SPEED = 40;
const OPTIONS: RollOptions = {
  instances: 6,
  services: 3,
  // It is the same roll at any speed.
  speed: 500,
  seed: 1,
  launchSpec: 'launch-template',
  killAt: { kind: 'half' },
  surge: '100%',
  drainConcurrency: 1,
  canary: 1,
};
/** Simulated seconds from frame to frame. */
const FRAME_SECONDS = 8;
const REST_SECONDS = 5;

const roll = await startRoll(OPTIONS, new AbortController().signal);
const moments: Progress[] = [];
const note = () => {
  const { told, ...progress } = roll.progress();
  moments.push({ ...progress, told: [...told], speed: SHOWN_SPEED });
};
roll.watch(note);
const { simulatedSeconds, ending } = await roll.report;
note();
const title = `A roll of ${OPTIONS.instances} instances in the simulated AWS, ${ending} in ${timeOf(simulatedSeconds)} of its time`;
const frames: Frame[] = [];
for (let at = 0; at < simulatedSeconds; at += FRAME_SECONDS) frames.push(frameAt(at));
frames.push(frameAt(simulatedSeconds));
const svg = movingPicture(frames, { ...CANVAS, title, restSeconds: REST_SECONDS });
await writeFile(FILE, svg);
process.stdout.write(`${FILE}: ${Math.round(svg.length / 1024)} KB, ${frames.length} frames; ${title}\n`);

/** What the demo shows at a moment: nothing happens between two events but that time passes. */
function frameAt(elapsedSeconds: number): Frame {
  const moment = moments.findLast((each) => each.elapsedSeconds <= elapsedSeconds) ?? moments[0];
  if (moment === undefined) throw new Error('nothing has happened');
  const lines = view({ ...moment, elapsedSeconds }, CANVAS);
  return { atSeconds: elapsedSeconds / SHOWN_SPEED, lines };
}
