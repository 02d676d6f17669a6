/** Tags of a group as they have been written; undefined for those that were taken away. */
export interface Written {
  readonly group: string;
  readonly tags: Readonly<Record<string, string | undefined>>;
}

/** The group that is acted upon, and the cluster that it is rolled for. */
export interface Target {
  readonly cluster: string;
  readonly group: string;
  /** The UUID in the group's ARN. */
  readonly uuid: string;
}
