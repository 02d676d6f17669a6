import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CURRENT_VERSION_EXPIRED_FLAGS, FLAGS } from 'aws-cdk-lib/cx-api';
import { expect, test } from 'vitest';
import * as z from 'zod';

const CDK_JSON = join(import.meta.dirname, '../../cdk.json');
const MANIFEST = z.object({ context: z.record(z.string(), z.unknown()) });

/** Otherwise each synth says that so many flags are not configured, and new ones would go unnoticed. */
test('cdk.json has every feature flag of the CDK, as the CDK recommends it', () => {
  const { context } = MANIFEST.parse(JSON.parse(readFileSync(CDK_JSON, 'utf8')));
  const current = Object.entries(FLAGS).filter(([flag]) => !CURRENT_VERSION_EXPIRED_FLAGS.includes(flag));
  expect(current.length).toBeGreaterThan(50);
  const recommended = Object.fromEntries(
    current.map(([flag, { recommendedValue }]) => [flag, recommendedValue]),
  );
  expect(context).toMatchObject(recommended);
});
