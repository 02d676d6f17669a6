import { expect, test } from 'vitest';
import { createAws } from '../../lambda/aws/clients.ts';
import { iamOf } from '../../lambda/aws/iam.ts';
import { rare } from '../../lambda/aws/rare.ts';

test('what is called rarely is loaded once', () => {
  expect(rare.alarms()).toBe(rare.alarms());
});

test('a client is made once, and apart for other settings', () => {
  const aws = createAws({ region: 'eu-west-1' });
  expect(iamOf(aws)).toBe(iamOf({ ...aws }));
  expect(iamOf(aws)).not.toBe(iamOf(createAws({ region: 'eu-west-1' })));
});
