import { expect, test } from 'vitest';
import { warnOfEndOfLife } from '../../../lambda/core/launch-spec/end-of-life.ts';
import { describeWarning } from '../../../lambda/core/reasons/warnings.ts';
import { NOW, observe, old, TARGET } from '../builders.ts';

function warningsAt(now: Date, ...names: readonly string[]): string[] {
  const observation = observe([old('i-1')]);
  const [group] = observation.groups;
  if (group === undefined || 'obstacle' in group.launch) throw new Error('there is a group');
  const [source] = group.launch.sources;
  if (source === undefined) throw new Error('it launches from somewhere');
  const sources = names.map((name) => ({ ...source, target: { ...TARGET, name } }));
  return warnOfEndOfLife({ ...group, launch: { ...group.launch, sources } }, { ...observation, now }).map(
    (each) => describeWarning(each),
  );
}

test.each([
  [
    'amzn2-ami-ecs-kernel-5.10-hvm-2.0.20261001-x86_64-ebs',
    NOW,
    /Amazon Linux 2, whose end of life was 2026-06-30/,
  ],
  [
    'Windows_Server-2016-English-Full-ECS_Optimized-2027.01.12',
    new Date('2027-01-12'),
    /Windows Server 2016, whose end of life was 2027-01-12/,
  ],
])('an up-to-date group with %s gets a warning', (name, now, warning) => {
  expect(warningsAt(now, name)).toEqual([expect.stringMatching(warning)]);
});

test.each([
  ['amzn2-ami-ecs-hvm-2.0.20260601-x86_64-ebs', new Date('2026-06-29')],
  ['Windows_Server-2016-English-Full-ECS_Optimized-2026.11.11', NOW],
  [TARGET.name, NOW],
  ['golden-amzn2-ami-ecs-hvm', NOW],
])('a group with %s gets none yet', (name, now) => {
  expect(warningsAt(now, name)).toEqual([]);
});

test('one image of an ended family among others is enough', () => {
  expect(warningsAt(NOW, TARGET.name, 'amzn2-ami-ecs-hvm-2.0.20261001-x86_64-ebs')).toHaveLength(1);
});
