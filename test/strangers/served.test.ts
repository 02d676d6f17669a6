import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type ServeOptions, serveCommand } from '../simulated-aws/serve/options.ts';
import { brokenIn, reportAt } from '../simulated-aws/serve/process.ts';
import { serve } from '../simulated-aws/serve/serve.ts';
import { clientsWith } from './roller.ts';
import { ROLLERS } from './rollers.ts';

const SPEED = 250;
const LINE = ['node', 'serve', '--instances', '4', '--speed', String(SPEED)];

/** The invariants that each breaks; strangers.test.ts has more about them. */
const BREAKS: Readonly<Record<string, readonly number[]>> = {
  careful: [],
  ancestor: [1, 2, 3],
  serial: [1, 2, 4, 7],
  rolling: [1, 2, 4],
  'scale-out-by-one': [1, 2, 4],
  'terminate-all': [1, 2, 4],
  'bare-version': [5],
  untagged: [3],
  'all-drained': [4],
};

describe('over HTTP, in real time', () => {
  it.each(ROLLERS.map((roller) => [roller.name, roller] as const))(
    '%s is told what it breaks',
    async (name, roller) => {
      const { url, end } = await serve(serveCommand().parse(LINE).opts<ServeOptions>());
      const credentials = { accessKeyId: 'simulated', secretAccessKey: 'simulated' };
      const clients = clientsWith({ region: 'eu-central-1', credentials, endpoint: url });
      const sleep = (seconds: number) => setTimeout((seconds * 1000) / SPEED);
      const error = await roller.roll({ ...clients, cluster: 'demo', sleep }).catch(String);
      const broken = brokenIn(await reportAt(url));
      const { held } = await end();
      expect(error).toEqual(name === 'bare-version' ? 'Error: gave up waiting for replacements' : undefined);
      expect(broken).toEqual(BREAKS[name]);
      expect(held).toBe(name === 'careful');
    },
  );
});
