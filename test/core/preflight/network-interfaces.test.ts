import { expect, test } from 'vitest';
import type { Launch } from '../../../lambda/core/model/launch.ts';
import { decided, fresh, launching, observe, old, type Sketch, told } from '../builders.ts';

const template = { kind: 'launch-template', templateId: 'lt-1', reference: 'number', version: 3 } as const;

/** A group whose template names an existing network interface. */
function scene(networkInterface?: string, sketches: readonly Sketch[] = [old('i-1'), fresh('i-9')]) {
  const launch = launching(template);
  const sources = launch.sources.map((source) => ({
    ...source,
    ...(networkInterface && { networkInterface }),
  }));
  return observe(sketches, { roll: null, launch: { ...launch, sources } satisfies Launch });
}

test('a network interface that a template names keeps replacements from coming first', () => {
  expect(told(scene('eni-1'))).toEqual([
    'blocked: version 3 of launch template lt-1 names the network interface eni-1, which only one instance can have: ' +
      'no replacement can come before the old one goes; set MAX_SURGE to 0',
  ]);
  expect(decided(scene()).kind).toBe('act');
});

test('in place the old one goes first', () => {
  expect(decided(scene('eni-1'), { maxSurge: { kind: 'count', count: 0 } }).kind).toBe('act');
});

test('where no member is replaced, the template gets its image all the same', () => {
  expect(decided(scene('eni-1', [fresh('i-9')])).kind).toBe('act');
});
