import { describe, expect, test } from 'vitest';
import { standardScenario } from '../simulated-aws/world/scenario.ts';
import { only, planText, writes } from './outcomes.ts';
import { type Stage, type StageOptions, stage } from './stage.ts';

const SCHEDULE = { source: 'aws.events', 'detail-type': 'Scheduled Event' };

interface Options extends Partial<StageOptions> {
  /** Of the group. */
  readonly tags?: Readonly<Record<string, string>>;
}

function staged({ tags = {}, furnish, ...options }: Options): Stage {
  return stage({
    shortcut: true,
    furnish: (world) => {
      standardScenario({ world, instances: 3, services: 2, launchSpec: 'launch-template', version: '1' });
      for (const [setting, value] of Object.entries(tags))
        world.state.groups
          .get('demo-ecs')
          ?.tags.set(`ecs-ami-deploy:${setting}`, { value, propagatesAtLaunch: false });
      furnish?.(world);
    },
    ...options,
  });
}

describe('MODE=plan', () => {
  test.each<[string, Options]>([
    ['of the stack', { environment: { MODE: 'plan' } }],
    ['of a tag', { tags: { mode: 'plan' } }],
  ])('%s lets the schedule only tell what a roll would do', async (_, options) => {
    const { invoke, account } = staged(options);
    const told = {
      state: 'planned',
      code: 'plan-only',
      reason: expect.stringMatching(
        /^would roll onto ami-0+2 .*: 3 to replace \(by image\); with MODE=plan only {"action":"roll"} begins it$/,
      ),
      heldBackDays: expect.any(Number),
    };
    expect(only(await invoke(SCHEDULE))).toMatchObject(told);
    expect(only(await invoke({ action: 'status' }))).toMatchObject(told);
    expect(writes(account.calls.log)).toEqual([]);
  });

  test('tells at once what would block the roll', async () => {
    const { invoke, account } = staged({
      environment: { MODE: 'plan', ALARM_NAMES: 'errors' },
      furnish: (world) => world.addAlarm({ name: 'errors', state: 'ALARM' }),
    });
    expect(only(await invoke(SCHEDULE))).toMatchObject({ state: 'blocked', code: 'alarm-ringing' });
    expect(writes(account.calls.log)).toEqual([]);
  });

  test('leaves a roll to somebody, which goes on by itself once it has begun', async () => {
    const { invoke, finish, invariants } = staged({ environment: { MODE: 'plan' }, lambdaSeconds: 120 });
    expect(planText(await invoke({ action: 'plan' }))).toMatch(/roll onto ami-.*\n1\. /);
    expect(only(await invoke({ action: 'roll' })).state).toBe('in-progress');
    expect(only(await invoke(SCHEDULE)).state).toBe('in-progress');
    expect(await finish(60)).toMatchObject([{ state: 'completed' }]);
    invariants.assertFinished();
  });

  test('is no matter of a tag that says otherwise', async () => {
    const { invoke } = staged({ environment: { MODE: 'plan' }, tags: { mode: 'roll' } });
    expect(only(await invoke(SCHEDULE))).toMatchObject({
      code: 'plan-only',
      warnings: [expect.stringMatching(/^ecs-ami-deploy:mode = "roll" is ignored/)],
    });
  });
});
