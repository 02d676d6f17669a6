import { fileURLToPath } from 'node:url';
import { DEFAULT_STATE_KEY } from '../../lambda/contract.ts';
import { EXPECTED_OF_US, OUR_INVARIANTS } from '../invariants/invariants.ts';
import type { Own } from '../simulated-aws/serve/options.ts';
import { serveBy } from '../simulated-aws/serve/process.ts';

/** The command, how it judges this product, and the key that the product's seals are made with. */
export const OURS: Own = {
  command: 'npm run serve --',
  rollers: { ours: { expectations: EXPECTED_OF_US, invariants: OUR_INVARIANTS } },
  hmacKey: DEFAULT_STATE_KEY,
  tries: ({ url, region }) => `npx ecs-ami-deploy --region ${region} --endpoint ${url} status`,
};

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

/** `npm run serve` as a process of its own. */
export const serveOurs = (...line: string[]) => serveBy(MAIN, ...line);
