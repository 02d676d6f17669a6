import { isAlive } from '../ec2/model.ts';
import type { State } from '../state.ts';
import { passHooks } from './lifecycle-hooks.ts';
import { type Membership, setLifecycleState } from './members.ts';
import { comeUp } from './service-entry.ts';

/**
 * The instance gets another root volume and boots from it; terminate hooks hold it before, launch hooks
 * after.
 * https://docs.aws.amazon.com/autoscaling/ec2/userguide/replace-root-volume.html
 */
export function replaceRootVolume(state: State, membership: Membership, imageId: string) {
  const { group, member } = membership;
  const become = (lifecycleState: 'ReplacingRootVolume' | 'RootVolumeReplaced' | 'Pending') =>
    setLifecycleState(state, group, member, lifecycleState, 'group');
  const replace = () => {
    if (!isAlive(member.instance)) return;
    member.instance.imageId = imageId;
    state.emit({ kind: 'root-volume-replaced', instance: member.instance });
    become('RootVolumeReplaced');
    state.after('bootSeconds', () => {
      if (member.lifecycleState !== 'RootVolumeReplaced' || !isAlive(member.instance)) return;
      become('Pending');
      comeUp(state, membership);
    });
  };
  become('ReplacingRootVolume');
  passHooks(state, membership, 'ReplacingRootVolume', 'group', { proceed: replace, abandoned: replace });
}
