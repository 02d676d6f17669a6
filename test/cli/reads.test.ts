import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BESIDE_ENVIRONMENT } from '../../lambda/contract.ts';
import type { AnsweringFunction } from '../simulated-aws/world/lambda/functions.ts';
import { type Deployed, deploy } from './deployed.ts';
import { run } from './run.ts';

let deployed: Deployed;
beforeAll(async () => {
  deployed = await deploy(20, '--instances', '3');
});
beforeEach(() => deployed.restore());
afterAll(() => deployed.end());

const command = (...line: string[]) => deployed.command(...line);
const json = (...line: string[]) => deployed.json(...line);

describe('status', () => {
  it('asks the function, and tells image, age and outdated instances', async () => {
    const { status, out, notes } = await command('status', '--wide');
    expect(notes).toBe('');
    expect(out).toMatch(/^GROUP +STATE +INSTANCES +IMAGE +NAME +AGE +BEHIND$/m);
    expect(out).toMatch(
      /^demo\n {2}demo-ecs +planned +3 of 3 outdated +ami-\w+ +al2023-ami-ecs-hvm-\S+ +40 d +1$/m,
    );
    expect(out).toMatch(/^ {2}i-\w+ +ami-\w+ +20\d\d-\d\d-\d\d \d\d:\d\dZ +image$/m);
    expect(deployed.events).toEqual([{ action: 'status' }]);
    expect(status).toBe(2);
  });

  it('tells programs the same, and who looked', async () => {
    const { status, told } = await json('status', 'demo');
    expect(told).toMatchObject({
      source: 'function',
      function: 'Platform-Function',
      groups: [
        {
          group: 'demo-ecs',
          running: [{ instances: 3, ageDays: 40, releasesBehind: 1 }],
          targets: [{ ageDays: 3 }],
          outdated: [{ reasons: ['image'] }, {}, {}],
        },
      ],
    });
    expect(deployed.events).toEqual([{ action: 'status', clusters: ['demo'] }]);
    expect(status).toBe(2);
  });

  it('says to which topic no event comes, where that may be read', async () => {
    const { functions, topics, roll } = deployed;
    const arnOf = (name: string) => `arn:aws:sns:eu-central-1:123456789012:${name}`;
    const Statement = {
      Effect: 'Allow',
      Principal: { Service: 'events.amazonaws.com' },
      Action: 'sns:Publish',
    };
    for (const name of ['deaf', 'heard'])
      topics.set(arnOf(name), {
        arn: arnOf(name),
        ...(name === 'heard' && { policy: JSON.stringify({ Statement }) }),
        notifications: [],
        subscribers: [],
      });
    const told = ['deaf', 'heard', 'gone'].map(arnOf).join(',');
    functions.set(roll.arn, {
      ...roll,
      environment: { ...roll.environment, [BESIDE_ENVIRONMENT.topics]: told },
    });
    const { out, notes } = await command('status');
    expect(notes.match(/No event comes to \S+:(\w+): /g)).toEqual([
      `No event comes to ${arnOf('deaf')}: `,
      `No event comes to ${arnOf('gone')}: `,
    ]);
    expect(notes).toContain('there is no such topic');
    expect(out).toContain('demo-ecs');
    expect((await command('plan')).notes).toBe('');
  });

  it('looks from here by the settings of a function that is busy', async () => {
    deployed.busy = true;
    const { status, told, notes } = await json('status');
    expect(notes).toContain('Platform-Function is at work, so this looks from here');
    expect(told).toMatchObject({ source: 'here', groups: [{ cluster: 'demo', group: 'demo-ecs' }] });
    expect(status).toBe(2);
  });

  it('looks at all clusters from here before anything is deployed, and says so', async () => {
    deployed.functions.clear();
    const { told, notes } = await json('status');
    expect(notes).toContain('No function is deployed in this Region, so this looks from here');
    expect(told.source).toBe('here');
    expect(told.groups.map(({ cluster }) => cluster)).toEqual(['demo', 'demo-neighbour']);
  });

  it('looks without the right to the key of the seals, and says what that means', async () => {
    deployed.keyDenied = true;
    const { status, told, notes } = await json('status', '--local');
    expect(notes).toContain("The seals on tags can't be checked from here");
    expect(told.groups).toMatchObject([{ group: 'demo-ecs', state: 'planned' }]);
    expect(status).toBe(2);
  });

  it('takes settings for a look from here', async () => {
    const { told } = await json('status', '--local', '--setting', 'MIN_IMAGE_AGE_DAYS=20');
    expect(told.groups).toMatchObject([{ group: 'demo-ecs', state: 'up-to-date' }]);
    const begun = await command('status', '--local', '--setting', 'MIN_IMAGE_AGE=7');
    expect(begun.notes).toContain(
      'MIN_IMAGE_AGE is no setting of the function; did you mean MIN_IMAGE_AGE_DAYS?',
    );
    const bare = await command('status', '--local', '--setting', 'MAX_SURGE');
    expect(bare.notes).toContain(
      '--setting was "MAX_SURGE"; it may be NAME=value, such as MIN_IMAGE_AGE_DAYS=7',
    );
    const misnamed = await command('status', '--local', '--setting', 'AGE=20');
    expect(misnamed).toMatchObject({ status: 1, out: '' });
    expect(misnamed.notes).toContain('--setting was "AGE=20"');
    expect(misnamed.notes).not.toContain('did you mean');
    for (const where of [['MAX_SURG=1', '--local'], ['MAX_SURG=1'], ['maxSurge=1'], ['max-surge=1']])
      expect((await command('status', '--setting', ...where)).notes).toContain('did you mean MAX_SURGE?');
    const nowhere = await command('status', '--local', '--setting', 'WINDOWS=0 2 * * SUN 4h Europe/Berln');
    expect(nowhere.notes).toMatch(/WINDOWS was "0 2 .*; there is no time zone Europe\/Berln$/m);
    const inVain = await command('status', '--setting', 'MIN_IMAGE_AGE_DAYS=20');
    expect(inVain).toMatchObject({ status: 1, notes: expect.stringContaining('add --local') });
  });

  it('says that a group is none, and which cluster to ask for', async () => {
    const said = 'demo-ecs is a group of cluster demo: ask for demo';
    for (const line of [
      ['status', 'demo-ecs'],
      ['plan', 'demo-ecs', '--local'],
      ['skip', 'demo-ecs', '--yes'],
    ])
      expect(await command(...line)).toMatchObject({ status: 1, out: '', notes: `${said}\n` });
    for (const lever of ['pause', 'resume', 'rollback', 'abort']) {
      const { status, notes } = await command(lever, 'demo-ecs', '--yes');
      expect({ status, notes }).toEqual({
        status: 1,
        notes: expect.stringContaining(`${said}, all of it, or`),
      });
      expect(notes).toContain('docs/orders.md');
    }
    deployed.functions.clear();
    const { status, out, notes } = await command('status', 'demo-ecs');
    expect({ status, out }).toEqual({ status: 1, out: '' });
    expect(notes).toContain(said);
  });

  it('names what is wrong with a cluster, without a stack trace', async () => {
    const { status, notes } = await command('status', 'nope');
    expect(status).toBe(1);
    expect(notes).toContain("nope isn't one of the function's clusters: demo");
    expect(notes).not.toContain('    at ');
    expect((await command('status', 'nope', '--local')).notes).toContain(
      "nope isn't one of the function's clusters",
    );
    deployed.functions.clear();
    const { out } = await command('status', 'nope');
    expect(out).toContain(
      'cluster nope does not exist in this account and Region; fix its name or create it',
    );
  });
});

describe('the function', () => {
  const stackTag = 'aws:cloudformation:stack-name';
  const add = (each: AnsweringFunction) => void deployed.functions.set(each.arn, each);
  const other = (): AnsweringFunction => {
    const { roll } = deployed;
    const tags = { ...roll.tags, [stackTag]: 'Data' };
    return { ...roll, arn: roll.arn.replace('Platform', 'Data'), tags };
  };

  it('is chosen by stack or name if there are several', async () => {
    add(other());
    const several = await command('status');
    expect(several).toMatchObject({ status: 1, out: '' });
    expect(several.notes).toContain(
      'none of the 2 functions here was asked; choose one, as by --stack Platform: ',
    );
    expect(several.notes).toContain('Platform-Function of stack Platform, Data-Function of stack Data');
    expect((await json('status', '--stack', 'Data')).told.function).toBe('Data-Function');
    expect((await json('status', '--function', 'Platform-Function')).told.function).toBe('Platform-Function');
  });

  const rogue = (): AnsweringFunction => {
    const { [stackTag]: _, ...tags } = other().tags ?? {};
    return { ...other(), arn: other().arn.replace('Data-Function', 'Rogue'), tags };
  };

  it('is the one that a stack has made, whoever else has written its tag', async () => {
    add(rogue());
    expect((await json('status')).told.function).toBe('Platform-Function');
    deployed.functions.delete(deployed.roll.arn);
    const alone = await command('status');
    expect(alone).toMatchObject({ status: 1, out: '' });
    expect(alone.notes).toContain('Rogue is tagged as ecs-ami-deploy, as anyone may tag a function');
    expect(deployed.events).toEqual([{ action: 'status' }]);
    expect((await json('status', '--function', 'Rogue')).told.function).toBe('Rogue');
  });

  it('is none that is gone, though the tagging service still knows it', async () => {
    add({ ...other(), isDeleted: true });
    add({ ...rogue(), isDeleted: true });
    expect((await json('status')).told.function).toBe('Platform-Function');
    deployed.functions.delete(deployed.roll.arn);
    expect((await json('status')).told.source).toBe('here');
  });

  it('is complained about if there is none by that name', async () => {
    expect((await command('status', '--function', 'Nope')).notes).toContain('there is no function Nope');
    expect((await command('status', '--stack', 'Nope')).notes).toContain('stack Nope has no function');
  });
});

it('plans step by step, and changes nothing', async () => {
  const { status, out } = await command('plan', '--force', '--wide');
  expect(out).toMatch(
    /^demo\/demo-ecs: roll onto .*\n {2}3 instances on .*\n {2}INSTANCE [\s\S]*\n {2}Steps:\n {3}1 {2}tag group demo-ecs/m,
  );
  expect(out).toMatch(/^ {2}Takes \d+ to \d+ min if all goes well, and \S+ to \S+ instance-hours beside/m);
  expect(out).toContain('To replace: 3 instances in 1 group.');
  expect(deployed.events).toEqual([{ action: 'plan', force: true }]);
  expect(status).toBe(2);
});

it('lists the newest images', async () => {
  const { told, status } = await json('latest-ami');
  expect(told).toMatchObject([
    { family: 'amazon-linux-2023', ageDays: 3, name: expect.stringMatching(/^al2023/) },
  ]);
  expect(status).toBe(0);
  expect((await command('latest-ami', 'amazon-linux-2')).notes).toContain('names no image');
  expect((await command('latest-ami', 'amazon-linux-1')).notes).toContain(
    'it may be one of amazon-linux-2023,',
  );
});

it('lists clusters, and which are rolled', async () => {
  const { out, status } = await command('list-clusters');
  expect(out).toMatch(/^demo +ACTIVE +3 +4 +\d+ +yes$/m);
  expect(out).toMatch(/^demo-neighbour +ACTIVE +2 +1 +2 +no$/m);
  expect(status).toBe(0);
});

it('says where a Region comes from', async () => {
  for (const line of ['list-clusters', 'status', 'plan', 'history']) {
    const { status, notes } = await run([line], { AWS_REGION: undefined });
    expect(notes).toMatch(/^No Region: give --region.*\n$/);
    expect(status).toBe(1);
  }
});

it('says how to get credentials where there are none', async () => {
  const { status, notes } = await run(['list-clusters'], {
    AWS_ENDPOINT_URL: deployed.url,
    AWS_ACCESS_KEY_ID: undefined,
    AWS_SECRET_ACCESS_KEY: undefined,
  });
  expect(notes).toContain('No credentials: ');
  expect(notes).toContain('aws sso login');
  expect(notes).not.toContain('    at ');
  expect(status).toBe(1);
});
