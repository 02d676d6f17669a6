import { expect, test } from 'vitest';
import { hasAlias } from '../../../lambda/core/model/launch.ts';
import { PLACE } from '../builders.ts';

test('only a place that names a parameter follows one', () => {
  const place = { kind: 'launch-template', templateId: 'lt-1', reference: '$Latest', version: 3 } as const;
  expect(hasAlias({ ...place, alias: 'resolve:ssm:/image' })).toBe(true);
  for (const each of [place, { ...place, alias: undefined }, PLACE]) expect(hasAlias(each)).toBe(false);
});
