import { expect, test } from 'vitest';
import { describeGroups } from '../../lambda/aws/autoscaling.ts';
import { awsTime } from '../../lambda/aws/aws-time.ts';
import { createAws } from '../../lambda/aws/clients.ts';
import { DEFAULT_STATE_KEY } from '../../lambda/contract.ts';
import { simulateAccount } from '../simulated-aws/account/account.ts';
import { spedUpClock } from '../simulated-aws/clock/clock.ts';
import { createWorld } from '../simulated-aws/world/world.ts';

const HOUR = 3_600_000;

test.each([-2 * HOUR, 0, 2 * HOUR])('the time is that of AWS, which is %i ms ahead', async (ahead) => {
  const clock = { ...spedUpClock(1), now: () => Date.now() + ahead };
  const { operations } = createWorld({ clock, seed: 1, hmacKeyAlias: DEFAULT_STATE_KEY });
  const { url, close } = await simulateAccount({ clock, operations }).listen();
  const credentials = { accessKeyId: 'simulated', secretAccessKey: 'simulated' };
  const aws = createAws({ region: 'eu-central-1', endpoint: url, credentials });
  const now = awsTime(aws.autoScaling);
  await describeGroups(aws, ['web']);
  await close();
  expect(Math.abs(now().getTime() - clock.now())).toBeLessThan(2000);
});
