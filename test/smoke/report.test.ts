import { STSClient } from '@aws-sdk/client-sts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { troubleText } from './report.ts';

/** What the SDK throws if nobody is logged in. */
async function thrownBy(configuration: { readonly region?: string }): Promise<unknown> {
  const { config } = new STSClient(configuration);
  return Promise.all([config.region(), config.credentials()]).catch((error: unknown) => error);
}

beforeEach(() => {
  for (const [name, value] of Object.entries({
    AWS_PROFILE: 'nosuch',
    AWS_CONFIG_FILE: 'none',
    AWS_SHARED_CREDENTIALS_FILE: 'none',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_REGION: undefined,
    AWS_ACCESS_KEY_ID: undefined,
    AWS_SECRET_ACCESS_KEY: undefined,
  }))
    vi.stubEnv(name, value);
});

afterEach(() => {
  vi.unstubAllEnvs();
});

describe.each([
  { lacking: 'credentials', configuration: { region: 'eu-central-1' }, instead: 'Log in as for the AWS CLI' },
  { lacking: 'a Region', configuration: {}, instead: 'AWS_REGION=eu-central-1' },
])('lacking $lacking', ({ configuration, instead }) => {
  test('says to check the profile that AWS_PROFILE names', async () => {
    const text = troubleText(await thrownBy(configuration));
    expect(text).toMatch(
      /^(Region|Could not load).*\. Check that `aws configure list-profiles` lists nosuch, which AWS_PROFILE names, /,
    );
  });

  test('says what to set if AWS_PROFILE names none', async () => {
    vi.stubEnv('AWS_PROFILE', undefined);
    expect(troubleText(await thrownBy(configuration))).toContain(instead);
  });
});

test('any other error keeps its own words', () => {
  expect(troubleText(new Error('There is no step nope'))).toBe('There is no step nope');
});
