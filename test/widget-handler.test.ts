import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { WIDGET_ENVIRONMENT } from '../lambda/contract.ts';
import { widget } from '../lambda/widget-handler.ts';
import { mocked } from './aws/mocked.ts';

const logs = mocked(CloudWatchLogsClient);

beforeEach(() => {
  vi.stubEnv(WIDGET_ENVIRONMENT.history, 'history');
  vi.stubEnv(WIDGET_ENVIRONMENT.orders, 'arn:orders');
  vi.stubEnv('AWS_REGION', 'eu-west-1');
});
afterEach(() => void vi.unstubAllEnvs());

const BEGUN = JSON.stringify({
  source: 'ecs-ami-deploy',
  detail: {
    id: '1',
    kind: 'begun',
    at: '2026-11-23T05:00:00Z',
    cluster: 'web',
    group: 'web-a',
    startedAt: '2026-11-23T05:00:00Z',
    images: { from: ['ami-1'], to: ['ami-2'] },
    counts: { replaced: 0, total: 2 },
    text: 'begins',
  },
});

describe('the widget', () => {
  test('draws what the history tells, page by page, in the theme of the dashboard', async () => {
    logs
      .on(FilterLogEventsCommand)
      .resolvesOnce({ events: [], nextToken: 'more' })
      .resolves({ events: [{ message: BEGUN }] });
    const text = await widget({ widgetContext: { theme: 'dark', accountId: '111122223333' } });
    expect(text).toContain('<h2>web / web-a</h2>');
    expect(text).toContain('--paper:#161d26');
    expect(logs.commandCalls(FilterLogEventsCommand).map(({ args: [{ input }] }) => input)).toMatchObject([
      { logGroupName: 'history', startTime: expect.any(Number) },
      { logGroupName: 'history', nextToken: 'more' },
    ]);
  });

  test('describes itself in Markdown, and asks nobody', async () => {
    expect(await widget({ describe: true })).toMatch(/^## Rolls/);
    expect(logs.calls()).toHaveLength(0);
  });

  test('says what is missing of its environment', async () => {
    vi.stubEnv(WIDGET_ENVIRONMENT.history, '');
    await expect(widget({})).rejects.toThrow('HISTORY_LOG_GROUP');
  });
});
