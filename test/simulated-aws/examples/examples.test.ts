import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { virtualClock } from '../clock/clock.ts';
import { OF_ANYBODY } from '../invariants/anybody.ts';
import { watchInvariants } from '../invariants/invariants.ts';
import { keyOf } from '../wire/schema.ts';
import { directCalls } from '../world/direct-calls.ts';
import { standardScenario } from '../world/scenario.ts';
import { createWorld } from '../world/world.ts';
import { notAtNight } from './own-invariant.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8');
const README = read('../README.md');

describe('the README', () => {
  afterEach(() => vi.restoreAllMocks());

  it.each(['terminate.ts', 'own-invariant.ts'])('shows %s as it is', (file) => {
    expect(README).toContain(read(file).replace("'../index.ts'", "'simulated-aws-ecs'"));
  });

  it('shows what its example prints', async () => {
    const printed: string[] = [];
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
    await import('./terminate.ts');
    vi.restoreAllMocks();
    expect(printed).toHaveLength(3);
    expect(README).toContain(printed.join(''));
  });

  it('lists the operations that are simulated', () => {
    const { operations } = createWorld({ clock: virtualClock(0), seed: 1 });
    const listed = [...README.matchAll(/^- `(\w+)`: (\w[\w ]+)$/gm)].flatMap(([, service, names = '']) =>
      names.split(' ').map((name) => `${service}.${name}`),
    );
    expect(listed.sort()).toEqual(operations.map(({ schema }) => keyOf(schema)).sort());
  });
});

it.each([
  ['2026-11-22T03:00:00Z', ["8. i-00000000000000001 was terminated at 3 o'clock"]],
  ['2026-11-22T12:00:00Z', []],
])('an invariant of a user is judged with the others, at %s', (start, told) => {
  const clock = virtualClock(Date.parse(start));
  const world = createWorld({ clock, seed: 1 });
  const { group } = standardScenario({ world, instances: 4, services: 3, launchSpec: 'launch-template' });
  const invariants = watchInvariants(world, OF_ANYBODY, [notAtNight]);
  const [id = ''] = group.members.keys();
  directCalls(world)(TerminateInstancesCommand, { InstanceIds: [id] });
  const ours = invariants.violations.filter(({ invariant }) => invariant === 8);
  expect(ours.map(({ invariant, what }) => `${invariant}. ${what}`)).toEqual(told);
});
