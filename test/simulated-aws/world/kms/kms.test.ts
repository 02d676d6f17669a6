import { GenerateMacCommand } from '@aws-sdk/client-kms';
import { describe, expect, test } from 'vitest';
import { virtualClock } from '../../clock/clock.ts';
import { directCalls } from '../direct-calls.ts';
import { createWorld } from '../world.ts';
import { addKey } from './keys.ts';

const ID = '11111111-0000-4000-8000-000000000001';
const MESSAGE = new TextEncoder().encode('a message');

function setUp(spec?: string) {
  const world = createWorld({ clock: virtualClock(Date.parse('2026-11-21T00:00:00Z')), seed: 1 });
  const key = addKey(world.state.keys, world.state, ID, spec);
  world.state.keys.aliases.set('alias/mac', ID);
  const call = directCalls(world);
  const generate = (input: object = {}) =>
    call(GenerateMacCommand, {
      KeyId: ID,
      MacAlgorithm: 'HMAC_SHA_256',
      Message: MESSAGE,
      ...input,
    });
  return { key, generate };
}

const refusal = (code: string) => expect.objectContaining({ code });

describe('a MAC', () => {
  test('is the same by id, ARN and alias of its key, and another for another message', () => {
    const { key, generate } = setUp();
    const { Mac, KeyId } = generate();
    expect([Mac?.length, KeyId]).toEqual([32, key.arn]);
    for (const named of [key.arn, 'alias/mac', key.arn.replace(`key/${ID}`, 'alias/mac')])
      expect(generate({ KeyId: named }).Mac).toEqual(Mac);
    expect(generate({ Message: new Uint8Array([1]) }).Mac).not.toEqual(Mac);
  });

  test.each([
    ['without a message', { Message: new Uint8Array() }, 'ValidationException'],
    ['of more than 4096 bytes', { Message: new Uint8Array(4097) }, 'ValidationException'],
    ['by a key that is not there', { KeyId: 'alias/none' }, 'NotFoundException'],
    ['by another algorithm', { MacAlgorithm: 'HMAC_SHA_512' }, 'InvalidKeyUsageException'],
    ['if it is only tried', { DryRun: true }, 'DryRunOperationException'],
  ])('is refused %s', (_, input, code) => {
    const { generate } = setUp();
    expect(() => generate(input)).toThrow(refusal(code));
  });

  test('is refused by a key for something else', () => {
    const { generate } = setUp('SYMMETRIC_DEFAULT');
    expect(() => generate()).toThrow(refusal('InvalidKeyUsageException'));
  });

  test.each([
    ['Disabled', 'DisabledException'],
    ['PendingDeletion', 'KMSInvalidStateException'],
    ['Unavailable', 'KeyUnavailableException'],
  ] as const)('is refused by a key that is %s', (state, code) => {
    const { key, generate } = setUp();
    key.state = state;
    expect(() => generate()).toThrow(refusal(code));
  });
});
