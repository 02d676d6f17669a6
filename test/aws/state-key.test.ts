import { GenerateMacCommand, KMSClient } from '@aws-sdk/client-kms';
import { expect, test } from 'vitest';
import { stateSeal } from '../../lambda/aws/state-key.ts';
import { mocked } from './mocked.ts';

const kms = mocked(KMSClient);

test.each(['NotFoundException', 'NotFound'])(
  'a key that is missing is told with its remedy, as %s',
  async (name) => {
    kms.on(GenerateMacCommand).rejects(Object.assign(new Error('Alias arn:missing is not found.'), { name }));
    const seal = stateSeal(new KMSClient({}), { stateKey: 'alias/missing', stateKeyGeneration: 1 });
    await expect(seal()).rejects.toThrow(/STATE_KEY was "alias\/missing".*deploy the stack again/);
  },
);
