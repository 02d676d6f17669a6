/** A lifecycle hook of a group. */
export interface LifecycleHook {
  readonly name: string;
  readonly transition: 'launching' | 'terminating';
  /** How long it holds an instance without a heartbeat. */
  readonly heartbeatSeconds: number;
  /** How long it holds an instance at most, heartbeats or not. */
  readonly globalTimeoutSeconds: number;
  /** On timeout the instance is ended rather than let through. */
  readonly abandons: boolean;
  /** Who drains instances by it; absent if it is its owner's, and for what only that owner knows. */
  readonly drainer?: 'ecs' | 'cdk' | 'us';
  /** Of ours: how long an instance may take, from when its group began to end it. */
  readonly timeoutMinutes?: number;
}

/** The hooks of a group, or why they couldn't be read. */
export type LifecycleHooks =
  | { readonly kind: 'read'; readonly hooks: readonly LifecycleHook[] }
  | { readonly kind: 'unread'; readonly because: string };
