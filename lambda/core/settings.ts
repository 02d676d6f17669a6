/** How the image to roll onto is chosen. */
export type ImageSelector =
  /** The recommended image of the ECS-optimized family that the group runs. */
  | { readonly kind: 'auto' }
  /** The image that an SSM parameter holds, as a plain id or as AWS's JSON. */
  | { readonly kind: 'parameter'; readonly parameter: string }
  /** The newest image of an owner by creation date whose name matches; `*` and `?` are wildcards. */
  | { readonly kind: 'name'; readonly pattern: string; readonly owner: string }
  | { readonly kind: 'id'; readonly imageId: string };

/** So many instances, or so many percent of the group, rounded up. */
export type Surge =
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'percent'; readonly percent: number };

export interface Settings {
  /** Names, not ARNs. */
  readonly clusters: readonly string[];
  readonly image: ImageSelector;
  /** How much of a group may be detached and alive at once. */
  readonly maxSurge: Surge;
  /** How many old instances of a group may be draining at once. */
  readonly drainConcurrency: number;
  readonly pollSeconds: number;
  /** How long there must be no pending task and every service steady before an instance is ended or drained. */
  readonly stableSeconds: number;
  /** How long a replacement may take to be InService and registered. */
  readonly readyTimeoutSeconds: number;
  /** How long one instance may take from its turn until it is empty and the services are steady. */
  readonly drainTimeoutSeconds: number;
  /** How many superseded launch configurations or template versions of ours stay behind, for each group. */
  readonly keepLaunchSpecs: number;
}
