import { CloudWatchLogsClient, DescribeResourcePoliciesCommand } from '@aws-sdk/client-cloudwatch-logs';
import { readHistory } from '../../lambda/aws/history.ts';
import type { Logs } from './smoke.ts';

const HOUR_MS = 3_600_000;
const MOST_PAGES = 50;

/** By the caller's own credentials. */
export function callersLogs(): Logs {
  const client = new CloudWatchLogsClient({});
  return {
    async policies() {
      let policies = 0;
      let nextToken: string | undefined;
      do {
        // By default those of the account, without those that log groups have for themselves.
        const answer = await client.send(new DescribeResourcePoliciesCommand({ nextToken }));
        policies += answer.resourcePolicies?.length ?? 0;
        nextToken = answer.nextToken;
      } while (nextToken !== undefined);
      return policies;
    },
    async lines(logGroup, sinceMs) {
      const since = new Date(sinceMs - HOUR_MS);
      const { lines } = await readHistory(logGroup, since, { mostPages: MOST_PAGES }, client);
      return lines.map(({ message }) => message);
    },
  };
}
