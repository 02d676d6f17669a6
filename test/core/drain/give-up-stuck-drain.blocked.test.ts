import { describe, expect, test } from 'vitest';
import { blockOnGivenUp } from '../../../lambda/core/drain/give-up-stuck-drain.ts';
import { candidateOf } from '../../../lambda/core/drain/phase.ts';
import type { Stranded } from '../../../lambda/core/model/cluster.ts';
import type { Mark } from '../../../lambda/core/model/group.ts';
import { assessed, crashOn, detached, fresh, observe, type Scene, service } from '../builders.ts';

const GONE = 'CannotPullContainerError: pull image manifest has been retried 1 time(s): manifest unknown';
const STRANDED: Stranded = {
  service: 'db',
  why: { kind: 'service-deploying', service: 'db' },
  byImage: false,
};

const givenUp = (id: string) => detached(id, { marked: 2500, turn: 1900, givenUp: 60 });

/** What is said of i-1, which is stranding, i-2, which did harm, and i-3. */
const blocked = (ids: readonly string[], { marks = {}, ...scene }: Scene & { marks?: Marks } = {}) => {
  const assessment = assessed(observe([...ids.map(givenUp), fresh('i-9')], scene));
  const { observation, settings, classified } = assessment;
  const details = { ...observation.details, stranded: new Map([['i-1', [STRANDED]]]) };
  const candidates = classified.leaving.map((each) => {
    const mark = { ...each.mark, ...marks[each.instanceId] };
    return candidateOf({ ...each, mark }, observation, settings);
  });
  return blockOnGivenUp({ ...assessment, observation: { ...observation, details } }, candidates);
};
type Marks = Readonly<Record<string, Partial<Mark>>>;

const harmful = { 'i-2': { shortServices: ['api', 'web'] }, 'i-4': { shortServices: ['web'] } };

describe('instances whose drain was given up', () => {
  test('are told apart by what keeps them', () => {
    expect(blocked(['i-1', 'i-2', 'i-3', 'i-4'], { marks: harmful })).toMatchObject({
      kind: 'blocked',
      reason: {
        code: 'several',
        reasons: [
          { code: 'drain-stranding', instanceIds: ['i-1'], faults: [STRANDED.why] },
          { code: 'drain-harmful', instanceIds: ['i-2', 'i-4'], services: ['api', 'web'] },
          { code: 'drain-timed-out', instanceIds: ['i-3'] },
        ],
      },
    });
    expect(blocked(['i-1']).reason).toMatchObject({ code: 'drain-stranding' });
    expect(blocked(['i-3']).reason).toMatchObject({ code: 'drain-timed-out' });
  });

  test('are reported with the last crash that no image is to blame for, once', () => {
    const crashes = [90, 60, 30].map((since) => crashOn('i-9', { since, reason: `${GONE} for ${since} s` }));
    const scene = { crashes, services: [service('api', { runningCount: 1 })] };
    const { reason } = blocked(['i-1', 'i-3'], scene);
    const reasons = reason.code === 'several' ? reason.reasons : [];
    expect(reasons.map((each) => 'crash' in each)).toEqual([false, true]);
    expect(reasons[1]).toMatchObject({ crash: { says: `${GONE} for 30 s` } });
  });
});
