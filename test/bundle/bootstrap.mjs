// Stands for Lambda's runtime in the child process of `invoke.ts`: one bundle, one invocation, one message back.
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { borrowTime } from './borrowed-time.mjs';

process.once(
  'message',
  async ({ bundle, exported, event, functionName, requestId, remainingMillis, nowMs }) => {
    if (nowMs !== undefined) borrowTime(nowMs);
    const deadline = Date.now() + remainingMillis;
    const context = {
      functionName,
      functionVersion: '$LATEST',
      invokedFunctionArn: `arn:aws:lambda:${process.env.AWS_REGION}:123456789012:function:${functionName}`,
      memoryLimitInMB: '256',
      awsRequestId: requestId,
      getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
    };
    let outcome;
    try {
      const { [exported]: handler } = await import(pathToFileURL(bundle).href);
      outcome = { ok: true, result: await handler(event, context) };
    } catch (error) {
      outcome = {
        ok: false,
        error: { name: error?.name ?? 'Error', message: error?.message ?? String(error) },
      };
    }
    // The bundle may hold sockets or timers; like Lambda, don't wait for them.
    process.send(outcome, () => process.exit());
  },
);
