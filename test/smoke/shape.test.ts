import { expect, test } from 'vitest';
import { differences, shapeOf } from './shape.ts';

const real = shapeOf([
  { Group: { Size: 1, At: '2000-01-01T00:00:00.000Z' }, Members: [{ Id: 'text' }] },
  { Group: { Size: 1 }, Members: [], Next: 'text' },
]);

test('the same shape in other words is no difference', () => {
  const simulated = shapeOf([
    { Group: { Size: 9, At: '2026-11-22T00:00:00.000Z' }, Members: [{ Id: 'a' }], Next: '' },
  ]);
  expect(differences(real, simulated)).toEqual([]);
});

test('what is invented, missing or of another kind is reported once each', () => {
  const simulated = shapeOf([{ Group: { Size: '9', Colour: { Red: 1 } }, Members: [] }]);
  expect(differences(real, simulated)).toEqual([
    { kind: 'invented', path: 'Group.Colour' },
    { kind: 'missing', path: 'Group.At' },
    { kind: 'missing', path: 'Members[]' },
    { kind: 'missing', path: 'Next' },
    { kind: 'other-kind', path: 'Group.Size' },
  ]);
});
