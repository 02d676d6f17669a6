import type { Group, LaunchConfiguration, LifecycleHook, Member } from './autoscaling/model.ts';
import type { Alarm } from './cloudwatch/alarms.ts';
import type { Image, Instance, LaunchTemplate, TemplateVersion } from './ec2/model.ts';
import type { ContainerInstance, Service, Task } from './ecs/model.ts';

/**
 * Who caused a change: a call of an operation; a call that stops one task; the service scheduler, for a drain
 * or for its own reasons; the group's own scaling; the owner, by `world.owner`; or a fault, by
 * `world.faults`.
 */
export type Cause = 'call' | 'stop-task' | 'drain' | 'scheduler' | 'group' | 'owner' | 'fault';

/** What happens in the world, as it happens. The world's own parts act on it, the invariants check it. */
export type WorldEvent =
  | { kind: 'called'; operation: string; input: object }
  /** A call that would have changed something. */
  | { kind: 'refused'; operation: string; message: string }
  | { kind: 'instance-launched'; instance: Instance }
  | { kind: 'instance-running'; instance: Instance }
  /** It boots from another root volume: whatever ran on it does no more. */
  | { kind: 'root-volume-replaced'; instance: Instance }
  | { kind: 'instance-tagged'; instance: Instance }
  /** By somebody who may only write tags. */
  | { kind: 'tag-forged' }
  | { kind: 'instance-terminating'; instance: Instance; cause: Cause }
  | { kind: 'instance-terminated'; instance: Instance }
  | { kind: 'image-published'; image: Image }
  | { kind: 'group-written'; group: Group; cause: Cause }
  | { kind: 'group-due'; group: Group }
  /** Its lifecycle state has changed, or it has joined or left its group. */
  | { kind: 'member-changed'; group: Group; member: Member; cause: Cause }
  /** A hook begins to hold a member: EventBridge's `EC2 Instance-… Lifecycle Action`, if nothing loses it. */
  | {
      kind: 'lifecycle-action';
      group: Group;
      member: Member;
      hook: LifecycleHook;
      destination: 'EC2' | 'AutoScalingGroup' | 'WarmPool';
    }
  /** EC2 reclaims a Spot Instance, as its own metadata tell, and EventBridge by its warning. */
  | { kind: 'spot-warning'; instance: Instance; to: 'instance' | 'event-bus' }
  | {
      kind: 'member-detaching';
      group: Group;
      instance: Instance;
      cause: Cause;
    }
  | {
      kind: 'launch-configuration-written';
      launchConfiguration: LaunchConfiguration;
      change: 'created' | 'deleted';
      cause: Cause;
    }
  | {
      kind: 'template-written';
      template: LaunchTemplate;
      change: 'created' | 'deleted' | 'default';
      version: TemplateVersion;
      cause: Cause;
    }
  | {
      kind: 'container-instance-changed';
      containerInstance: ContainerInstance;
      cause: Cause;
    }
  /** Its agent has lost its connection, or is back. */
  | { kind: 'agent-changed'; containerInstance: ContainerInstance }
  | {
      kind: 'container-instance-deregistered';
      containerInstance: ContainerInstance;
      /** Tasks that go on running unseen. */
      orphans: readonly Task[];
      cause: Cause;
    }
  | {
      kind: 'host-lost';
      containerInstance: ContainerInstance;
      /** Tasks that were running there. */
      tasks: readonly Task[];
      cause: Cause;
    }
  | { kind: 'alarm-changed'; alarm: Alarm }
  | { kind: 'service-changed'; service: Service; cause: Cause }
  | { kind: 'service-steady'; service: Service }
  | { kind: 'scheduler-due'; service: Service }
  | { kind: 'task-placed'; task: Task }
  | { kind: 'task-stopping'; task: Task; cause: Cause }
  | { kind: 'task-stopped'; task: Task }
  | { kind: 'health-changed'; service: Service; task: Task; cause: Cause };

export type Listener = (event: WorldEvent) => void;
