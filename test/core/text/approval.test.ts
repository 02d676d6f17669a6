import { expect, test } from 'vitest';
import { approvalRequest } from '../../../lambda/core/text/approval.ts';
import { QUESTION } from '../hooks/people.ts';

const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:approvals';
const WEB = { cluster: 'web', group: 'web-ecs' };

test('people learn what is to happen, how to let it, and what becomes of it without them', () => {
  expect(approvalRequest(WEB, QUESTION, TOPIC)).toEqual({
    subject: 'Approve the next batch? web/web-ecs',
    message: `web/web-ecs waits for somebody to approve the next batch.

From image       ami-01d
Onto image       ami-7a2
Launched so far  none
To replace now   i-2
Outdated         i-2, i-3

To approve: ecs-ami-deploy --region eu-west-1 approve web-ecs 00c0ffee
To refuse:  ecs-ami-deploy --region eu-west-1 refuse web-ecs 00c0ffee

Refused, or not approved by 2026-11-21T12:00:00.000Z, the roll stops halfway.`,
  });
});

test('the function is named where it has a name', () => {
  expect(approvalRequest(WEB, QUESTION, TOPIC, 'Roll-Function').message).toContain(
    '--region eu-west-1 --function Roll-Function',
  );
});

test.each([
  ['web+blue', 'approve web+blue 00c0ffee'],
  ['--yes', 'approve -- --yes 00c0ffee'],
  ["web;reboot $(x) `y` 'z'", 'approve <group> 00c0ffee'],
  ['web&reboot', 'approve <group> 00c0ffee'],
  ['web\nreboot', 'approve <group> 00c0ffee'],
])('who copies the command runs no other by the name of the group %j', (group, command) => {
  expect(approvalRequest({ cluster: 'web', group }, QUESTION, TOPIC).message).toContain(
    `ecs-ami-deploy --region eu-west-1 ${command}\n`,
  );
});

test('after a trial nothing is named that is not known yet', () => {
  const { message } = approvalRequest(WEB, { ...QUESTION, stage: 'trial-passed', next: [] }, TOPIC);
  expect(message).not.toContain('To replace now');
  expect(message).toContain('the roll goes back to the old image');
});

test('a long list is counted, and a name breaks no line and fits the subject', () => {
  const group = `Größe\n${'x'.repeat(200)}`;
  const outdated = Array.from({ length: 12 }, (_, index) => `i-${index}`);
  const { subject, message } = approvalRequest({ cluster: 'web', group }, { ...QUESTION, outdated }, TOPIC);
  expect(subject).toMatch(/^[ -~]{99}$/);
  expect(message).toContain('web/Größe?xxx');
  expect(message).toContain('i-9 and 2 more');
});
