interface ClusterReasonFacts {
  'no-group': unknown;
  /** To an order that is for begun rolls only. */
  'no-roll-begun': unknown;
  'instances-astray': {
    /** Members of no group. */
    readonly strays: readonly string[];
    /** Gone, but still registered. */
    readonly ghosts: readonly string[];
  };
  /** Tags that only look like ours, on resources of no group. */
  'tags-forged': { readonly resources: readonly string[] };
}

export type ClusterCode = keyof ClusterReasonFacts;

/** What no group's result would say of a cluster. */
export type ClusterReason<Code extends ClusterCode = ClusterCode> = {
  [Each in Code]: { readonly code: Each } & ClusterReasonFacts[Each];
}[Code];
