/** The group's tags as written; undefined for those removed. */
export interface Written {
  readonly group: string;
  readonly tags: Readonly<Record<string, string | undefined>>;
}

/** The group to act on, and the cluster it is rolled for. */
export interface Target {
  readonly cluster: string;
  readonly group: string;
  /** The UUID in the group's ARN. */
  readonly uuid: string;
}
