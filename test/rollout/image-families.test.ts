import { GetParameterCommand } from '@aws-sdk/client-ssm';
import { expect, it } from 'vitest';
import { recommendedParameter } from '../../lambda/core/launch-spec/image-family.ts';
import { virtualClock } from '../simulated-aws/clock/clock.ts';
import { directCalls } from '../simulated-aws/world/direct-calls.ts';
import { FAMILIES } from '../simulated-aws/world/ec2/families.ts';
import { createWorld } from '../simulated-aws/world/world.ts';

it.each(FAMILIES)('a release of %s is in the parameter that its name leads to', (family) => {
  const world = createWorld({ clock: virtualClock(Date.parse('2026-11-20T00:00:00Z')), seed: 1 });
  for (const other of FAMILIES) world.release(other);
  const image = world.release(family);
  const Name = recommendedParameter(image.name) ?? '';
  const { Parameter: { Value = '' } = {} } = directCalls(world)(GetParameterCommand, { Name });
  expect(Value.startsWith('{') ? JSON.parse(Value).image_id : Value).toBe(image.id);
});
