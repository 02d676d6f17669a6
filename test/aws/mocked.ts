import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach } from 'vitest';

/** Like `mockClient`, for the tests of one file: reset for each of them, and undone after the last. */
export const mocked: typeof mockClient = (...given) => {
  const mock = mockClient(...given);
  beforeEach(() => void mock.reset());
  afterAll(() => mock.restore());
  return mock;
};
