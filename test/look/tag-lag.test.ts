import { expect, test } from 'vitest';
import { tagTimes } from '../../lambda/look/tag-lag.ts';
import { refusal } from '../aws/refusal.ts';

const BEGUN = new Date('2026-11-22T09:00:00Z');
const after = (seconds: number) => new Date(BEGUN.getTime() + seconds * 1000);
const SUSPEND = { kind: 'suspend-processes', group: 'web-ecs', processes: ['AZRebalance'] } as const;

test('a denial within a minute of the invocation may be for tags that one before it wrote as it was killed', async () => {
  const denied = await refusal('autoscaling', 'AccessDenied', 'not authorized', 403);
  const lag = (seconds: number) => tagTimes(BEGUN).asLag('web-ecs', SUSPEND, denied, after(seconds));
  expect(lag(30)?.message).toMatch(/^denied, perhaps as IAM does not know yet of tags written 30 s ago/);
  expect(lag(61)).toBeUndefined();
});
