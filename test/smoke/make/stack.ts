import { findPlainImage } from '../images.ts';
import { STACK } from '../names.ts';
import type { Step } from '../smoke.ts';

export const stackStep: Step = {
  name: 'stack',
  makes: `the stack ${STACK}, by cdk deploy: both functions, their roles, key and alarms, and the instances' role`,
  cents: 2,
  minutes: 5,
  async make(smoke) {
    await smoke.stack.deploy(await findPlainImage(smoke));
  },
  remove: ({ stack }) => stack.remove(),
};
