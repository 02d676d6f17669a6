import { memberIds, stackOutputs } from '../found.ts';
import type { Check, Finding, Right } from '../smoke.ts';

/** Before the roll, when no member carries a tag of the function. */
export const roleCheck: Check = {
  name: 'what the role may do',
  minutes: 1,
  async run(smoke) {
    const { roleArn } = await stackOutputs(smoke);
    const role = await smoke.role(roleArn);
    const [member = ''] = await memberIds(smoke);
    return [
      finding('the role may read', role.by, 'allowed', await role.mayRead()),
      finding('the role may tag a member', role.by, 'allowed', await role.mayTag(member)),
      finding('the role may not end an untagged one', role.by, 'denied', await role.mayTerminate(member)),
    ];
  },
};

const finding = (what: string, by: string, wanted: Right, found: Right): Finding => ({
  what,
  passed: found === wanted,
  observed: `${found}, by ${by}`,
});
