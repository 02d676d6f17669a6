import { findParameter } from '../found.ts';
import { findPlainImage } from '../images.ts';
import { NAME, PARAMETERS, STACK } from '../names.ts';
import type { Step } from '../smoke.ts';
import { alreadyThere } from './already-there.ts';

/** That the stacks of the CDK ask for. */
const LEAST_BOOTSTRAP = 6;

export const stackStep: Step = {
  name: 'stack',
  makes: `the stack ${STACK}, by cdk deploy: both functions, their roles, key and alarms, and the instances' role`,
  cents: 2,
  minutes: 5,
  async lacks(smoke) {
    const version = Number((await findParameter(smoke, PARAMETERS.bootstrapVersion)) ?? 0);
    if (version < LEAST_BOOTSTRAP)
      return `This account and Region are not bootstrapped for the CDK: npx cdk bootstrap -c clusters=${NAME}`;
    return (await smoke.stack.outputs()) && alreadyThere(`stack ${STACK}`);
  },
  async make(smoke) {
    await smoke.stack.deploy(await findPlainImage(smoke));
  },
  remove: ({ stack }) => stack.remove(),
};
