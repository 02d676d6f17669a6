import { expect, it, vi } from 'vitest';
import { derived, groupedBy } from '../../../lambda/core/model/derived.ts';

it('derives once from each object, even if nothing comes of it', () => {
  const derive = vi.fn(({ id }: { readonly id: number }) => (id === 1 ? undefined : id));
  const fact = derived(derive);
  const [one, two] = [{ id: 1 }, { id: 2 }];
  expect([fact(one), fact(two), fact(one), fact(two)]).toEqual([undefined, 2, undefined, 2]);
  expect(derive.mock.calls).toEqual([[one], [two]]);
});

it('derives anew from an equal object', () => {
  const fact = derived(({ id }: { readonly id: number }) => ({ id }));
  expect(fact({ id: 1 })).not.toBe(fact({ id: 1 }));
});

it('groups items by their keys, in their order', () => {
  const groups = groupedBy(['tea', 'milk', 'tin'], ([first = '']) => first);
  expect([...groups]).toEqual([
    ['t', ['tea', 'tin']],
    ['m', ['milk']],
  ]);
});
