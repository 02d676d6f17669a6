import { type Aws, createAws } from '../../lambda/aws/clients.ts';
import { deployedSeal } from '../sealed.ts';

/** For tests that mock what a client sends: its seal needs none. */
export function sealedAws(): Aws {
  return { ...createAws({ region: 'eu-west-1' }), seal: async () => deployedSeal };
}
