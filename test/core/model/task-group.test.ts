import { expect, test } from 'vitest';
import { groupOfService, serviceIn, targetGroupIn } from '../../../lambda/core/model/task-group.ts';

test("a service's tasks are in a group after it, and no others", () => {
  expect(serviceIn(groupOfService('api'))).toBe('api');
  expect(serviceIn('family:service:api')).toBeUndefined();
});

const ARN = 'arn:aws:elasticloadbalancing:eu-west-1:111122223333:targetgroup/web-tg/0123456789abcdef';

test.each([
  [`(service web) (port 80) is unhealthy in (target-group ${ARN}) due to (reason …)`, 'web-tg'],
  [`(service web) has stopped targets in target-group (${ARN})`, 'web-tg'],
  ['(service web) is unhealthy in (target-group web-tg) due to (reason …)', 'web-tg'],
  ['(service web) registered 1 targets in Target-Group web-tg', 'web-tg'],
  ['(service web) has reached a steady state.', undefined],
])('%s tells of its target group', (message, name) => {
  expect(targetGroupIn(message)).toBe(name);
});
