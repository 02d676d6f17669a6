import { describe, expect, test } from 'vitest';
import { ConfigurationError, parseSettings } from '../lambda/config.ts';

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    parseSettings(environment);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
  return [];
}

describe('settings', () => {
  test('CLUSTERS alone is enough', () => {
    expect(parseSettings({ CLUSTERS: 'web' })).toEqual({
      clusters: ['web'],
      image: { kind: 'auto' },
      maxSurge: { kind: 'percent', percent: 100 },
      drainConcurrency: 1,
      pollSeconds: 10,
      stableSeconds: 30,
      readyTimeoutSeconds: 900,
      drainTimeoutSeconds: 1800,
      keepLaunchSpecs: 5,
    });
  });

  test('clusters come by name or ARN, each once', () => {
    const CLUSTERS = 'web, arn:aws:ecs:eu-west-1:123456789012:cluster/jobs ,web';
    expect(parseSettings({ CLUSTERS, AWS_REGION: 'eu-west-1' }).clusters).toEqual(['web', 'jobs']);
  });

  test.each([
    ['auto', { kind: 'auto' }],
    ['ami-0123456789abcdef0', { kind: 'id', imageId: 'ami-0123456789abcdef0' }],
    ['ssm:/my/image', { kind: 'parameter', parameter: '/my/image' }],
    ['ssm:/my/image:3', { kind: 'parameter', parameter: '/my/image:3' }],
    ['name:my-image-*', { kind: 'name', pattern: 'my-image-*', owner: 'self' }],
  ])('IMAGE may be %s', (IMAGE, image) => {
    expect(parseSettings({ CLUSTERS: 'web', IMAGE, IMAGE_OWNER: 'self' }).image).toEqual(image);
  });

  test.each([
    ['3', { kind: 'count', count: 3 }],
    ['25%', { kind: 'percent', percent: 25 }],
  ])('MAX_SURGE may be %s', (MAX_SURGE, maxSurge) => {
    expect(parseSettings({ CLUSTERS: 'web', MAX_SURGE }).maxSurge).toEqual(maxSurge);
  });

  test('seconds may be fractions', () => {
    expect(parseSettings({ CLUSTERS: 'web', POLL_SECONDS: '0.25' }).pollSeconds).toBe(0.25);
  });

  test('what is empty counts as not given', () => {
    expect(parseSettings({ CLUSTERS: 'web', IMAGE: ' ' }).image).toEqual({ kind: 'auto' });
  });

  test('every fault is told at once, with what it was and what it may be', () => {
    expect(
      faultsOf({
        IMAGE: 'latest',
        IMAGE_OWNER: 'me',
        MAX_SURGE: '0',
        DRAIN_CONCURRENCY: '1.5',
        POLL_SECONDS: 'fast',
        STABLE_SECONDS: '900',
        KEEP_LAUNCH_SPECS: '-1',
      }),
    ).toEqual([
      'CLUSTERS is missing; it is the names or ARNs of the ECS clusters to roll',
      'IMAGE was "latest"; it may be auto, ssm:<parameter>, name:<pattern> or ami-<id>',
      'IMAGE_OWNER was "me"; it may be amazon, self, aws-marketplace or an account id of 12 digits',
      'MAX_SURGE was "0"; it may be a number of instances from 1 or a percentage from 1% to 100%',
      'DRAIN_CONCURRENCY was "1.5"; it may be a whole number from 1 to 10',
      'POLL_SECONDS was "fast"; it may be a number of seconds from 0.01 to 60, such as 10 or 0.5',
      'STABLE_SECONDS was "900"; it may be a number of seconds from 0 to 300, such as 10 or 0.5',
      'KEEP_LAUNCH_SPECS was "-1"; it may be a whole number from 0 to 100',
    ]);
  });

  test.each(['web,', 'a/b', 'arn:aws:ecs:eu-west-1:1:cluster/web', ','])(
    'CLUSTERS may not be %s',
    (CLUSTERS) => {
      expect(faultsOf({ CLUSTERS })).toHaveLength(1);
    },
  );

  test.each(['101%', '0%', '-1', '1e3', '5 %', ''.padEnd(6, '9')])('MAX_SURGE may not be %s', (MAX_SURGE) => {
    expect(faultsOf({ CLUSTERS: 'web', MAX_SURGE })).toHaveLength(1);
  });

  test.each(['ami-xyz', 'ssm:', 'ssm:/a b', 'name:', 'AUTO'])('IMAGE may not be %s', (IMAGE) => {
    expect(faultsOf({ CLUSTERS: 'web', IMAGE })).toHaveLength(1);
  });

  test('a cluster of another Region would never be found', () => {
    const CLUSTERS = 'arn:aws:ecs:us-east-1:123456789012:cluster/web';
    expect(faultsOf({ CLUSTERS, AWS_REGION: 'eu-west-1' })).toEqual([
      `CLUSTERS names ${CLUSTERS} of us-east-1; the function runs in eu-west-1 and reaches only that`,
    ]);
  });
});
