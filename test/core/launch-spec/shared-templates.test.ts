import { describe, expect, test } from 'vitest';
import { bystanders } from '../../../lambda/core/launch-spec/shared-templates.ts';
import type { Launch, LaunchPlace, OwnLaunchSpec, TemplateUser } from '../../../lambda/core/model/launch.ts';
import { plan } from '../../../lambda/core/plan/plan.ts';
import {
  assessed,
  groupOf,
  launching,
  OLD,
  observe,
  old,
  PLACE,
  ROLL,
  type Scene,
  SETTINGS,
  TARGET,
  together,
  told,
} from '../builders.ts';

type Template = Extract<LaunchPlace, { kind: 'launch-template' }>;

const place = (reference: Template['reference'], version = 3): LaunchPlace => ({
  kind: 'launch-template',
  templateId: 'lt-1',
  reference,
  version,
});
const user = (group: string, reference: TemplateUser['reference'], version = 3): TemplateUser => ({
  templateId: 'lt-1',
  group,
  reference,
  version,
});
const MADE: OwnLaunchSpec = {
  kind: 'launch-template',
  templateId: 'lt-1',
  version: 4,
  sourceVersion: 3,
  imageId: TARGET.imageId,
  inUse: false,
  made: true,
};
const CREATES = ['create a version of launch template lt-1 from version 3 with ami-7a2'];

/** A group on a template whose users are these, itself left out. */
const shared = (reference: Template['reference'], users: readonly TemplateUser[], scene: Scene = {}) =>
  observe([old('i-1')], {
    launch: launching(place(reference)),
    templateUsers: [user('web-ecs', reference), ...users],
    ...scene,
  });

describe('another group that launches from the same template', () => {
  test('on $Latest would launch a new version at once: that blocks, and names it', () => {
    expect(told(shared('number', [user('jobs', '$Latest')]))).toEqual([
      'blocked: the new version would change what others launch from the same template: jobs (on $Latest); ' +
        'have those name a version by its number, set SHARED_TEMPLATES to update, or give this group a template of its own',
    ]);
  });

  test('on $Default only notices if the rolled group is on it too', () => {
    const jobs = user('jobs', '$Default');
    expect(told(shared('number', [jobs]))).toEqual(CREATES);
    expect(told(shared('$Default', [jobs]))[0]).toMatch(/^blocked: .*jobs \(on \$Default\)/);
  });

  test('on a number notices nothing', () => {
    const jobs = user('jobs', 'number');
    for (const reference of ['number', '$Default', '$Latest'] as const) {
      expect(told(shared(reference, [jobs]))).toEqual(CREATES);
    }
  });

  test('of another template notices nothing', () => {
    expect(told(shared('number', [{ ...user('jobs', '$Latest'), templateId: 'lt-2' }]))).toEqual(CREATES);
  });

  test('may be given the image, if the settings say so', () => {
    const update = { sharedTemplates: 'update' } as const;
    expect(told(shared('$Default', [user('jobs', '$Default')]), update)).toEqual(CREATES);
    expect(told(shared('number', [user('jobs', '$Latest')]), update)).toEqual(CREATES);
  });

  test('may be given it through an override of the rolled group', () => {
    const overrides = { sharedTemplates: 'update' } as const;
    expect(told(shared('number', [user('jobs', '$Latest')], { overrides }))).toEqual(CREATES);
  });

  test('that launches another version never gets these settings, whatever is configured', () => {
    const update = { sharedTemplates: 'update' } as const;
    expect(told(shared('$Default', [user('jobs', '$Latest', 5)]), update)).toEqual([
      'blocked: the new version would change what others launch from the same template: jobs (on $Latest); ' +
        'they launch another version, whose settings they would lose; have them name it by its number',
    ]);
  });

  test('that is rolled too gets what it would have got', () => {
    const other = observe([old('i-2')], { launch: launching(place('$Default')), roll: null });
    expect(told(together(shared('$Default', [user('other', '$Default')]), other))).toEqual(CREATES);
  });

  test('is judged by what it launches there, whatever it launches elsewhere', () => {
    const another = { ...TARGET, imageId: 'ami-0b1' };
    const source = (each: LaunchPlace, target = another) => ({ place: each, imageId: 'ami-01d', target });
    const elsewhere = [
      source(place('number')),
      source({ ...place('$Default'), templateId: 'lt-2' } as LaunchPlace),
      source(PLACE),
      source({ kind: 'override', templateId: 'lt-1', version: 3, instanceTypes: ['m5.large'] }),
    ];
    const other = (...sources: ReturnType<typeof source>[]) =>
      observe([old('i-2')], { launch: { sources, mixed: true }, roll: null });
    const rolled = shared('$Default', [user('other', '$Default')]);
    const same = source(place('$Default'), TARGET);
    expect(told(together(rolled, other(same, ...elsewhere)))).toEqual(CREATES);
    expect(told(together(rolled, other(same, source(place('$Default')))))[0]).toMatch(/^blocked: /);
  });

  test('notices nothing of an override that gets the image', () => {
    const override = {
      kind: 'override',
      templateId: 'lt-1',
      version: 3,
      instanceTypes: ['m5.large'],
    } as const;
    const launch = {
      sources: [
        { place: place('number'), imageId: TARGET.imageId, target: TARGET },
        { place: override, imageId: OLD.imageId, target: TARGET },
      ],
      mixed: true,
    };
    expect(told(shared('number', [user('jobs', '$Latest')], { launch }))).toEqual([
      'let the mixed instances policy of group web-ecs name ami-7a2 in place of ami-01d',
    ]);
  });

  test('one of several that launches another version is enough to tell of that', () => {
    const [reason] = told(shared('number', [user('jobs', '$Latest'), user('ops', '$Latest', 5)]));
    expect(reason).toMatch(/jobs \(on \$Latest\).*ops \(on \$Latest\).*they launch another version/);
  });

  test('is no bystander if it is the rolled group itself', () => {
    for (const reference of ['number', '$Default', '$Latest'] as const) {
      const observation = shared(reference, []);
      const { sources } = launching(place(reference)) as Launch;
      expect(bystanders(groupOf(observation), sources)).toEqual([]);
    }
  });

  test('that is rolled onto another image never gets ours', () => {
    const another = { ...TARGET, imageId: 'ami-0b1' };
    const launch = launching(place('$Default'), OLD, another);
    const other = observe([old('i-2')], { launch, roll: null });
    const update = { sharedTemplates: 'update' } as const;
    const both = together(shared('$Default', [user('other', '$Default')]), other);
    expect(told(both, update)[0]).toMatch(/^blocked: .*other \(on \$Default\)/);
  });

  test("that can't be rolled is not among those", () => {
    const other = observe([old('i-2')], { launch: { obstacle: { code: 'launch-spec-missing' } } });
    expect(told(together(shared('$Default', [user('other', '$Default')]), other))[0]).toMatch(/^blocked: /);
  });

  test('is spared before anything is recorded', () => {
    expect(told(shared('number', [user('jobs', '$Latest')], { roll: null }))[0]).toMatch(/^blocked: /);
  });

  test('does not notice a version that is already there', () => {
    const latest = [user('jobs', '$Latest')];
    expect(told(shared('number', latest, { ownLaunchSpecs: [MADE] }))).toEqual([
      'let group web-ecs launch from version 4 of lt-1',
    ]);
    const moves = told(shared('$Default', [user('jobs', '$Default')], { ownLaunchSpecs: [MADE] }));
    expect(moves[0]).toMatch(/^blocked: .*jobs \(on \$Default\)/);
  });
});

describe('a group that names a template twice', () => {
  test('would launch the new version there too', () => {
    const launch = {
      sources: [
        { place: place('number'), imageId: 'ami-01d', target: TARGET },
        { place: place('$Latest', 5), imageId: TARGET.imageId, target: TARGET },
      ],
      mixed: true,
    };
    const templateUsers = [user('web-ecs', 'number'), user('web-ecs', '$Latest', 5)];
    expect(told(observe([old('i-1')], { launch, templateUsers }))[0]).toMatch(
      /^blocked: .*web-ecs \(on \$Latest\)/,
    );
  });
});

describe('a plan says what others will notice', () => {
  const steps = (reference: Template['reference'], jobs: TemplateUser) => {
    const observation = shared(reference, [jobs], { roll: null });
    const settings = { ...SETTINGS, sharedTemplates: 'update' } as const;
    return plan(assessed(observation, settings), ROLL).steps[0];
  };

  test.each([
    ['number', 'number', 'it names a version by its number, and feels nothing'],
    ['number', '$Default', 'it is on $Default, and feels nothing'],
    [
      '$Default',
      '$Default',
      'it is on $Default, and launches the new image from then on; its instances stay',
    ],
    ['number', '$Latest', 'it is on $Latest, and launches the new image from then on; its instances stay'],
  ] as const)('of a group on %s, where another is on %s', (reference, others, felt) => {
    expect(steps(reference, user('jobs', others))).toBe(`launch template lt-1 is also group jobs's: ${felt}`);
  });

  test('by what the group launches from that template, whatever it launches from others', () => {
    const other = { ...place('$Default'), templateId: 'lt-2' } as LaunchPlace;
    const source = (each: LaunchPlace) => ({ place: each, imageId: OLD.imageId, target: TARGET });
    const first = (...places: readonly LaunchPlace[]) => {
      const launch = { sources: places.map(source), mixed: true };
      const observation = shared('number', [user('jobs', '$Default')], { launch, roll: null });
      const settings = { ...SETTINGS, sharedTemplates: 'update' } as const;
      return plan(assessed(observation, settings), ROLL).steps[0];
    };
    expect(first(place('number'), other)).toMatch(/on \$Default, and feels nothing$/);
    expect(first(other, place('$Default'))).toMatch(/launches the new image from then on/);
    const override = {
      kind: 'override',
      templateId: 'lt-1',
      version: 3,
      instanceTypes: ['m5.large'],
    } as const;
    expect(first(override, PLACE)).toMatch(/^copy launch configuration/);
  });

  test('and leaves out the group itself, and an alias that it follows', () => {
    const aliased = { ...place('$Latest'), alias: 'resolve:ssm:/a' } as LaunchPlace;
    const scene = { launch: launching(aliased, TARGET), roll: null };
    const observation = shared('$Latest', [user('jobs', '$Latest')], scene);
    expect(plan(assessed(observation), ROLL).steps[0]).toMatch(/^tag group web-ecs/);
  });
});
