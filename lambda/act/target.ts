/** A version of a launch template that EC2 has answered to have made for us. */
export interface Made {
  readonly templateId: string;
  readonly version: number;
}

/** The group to act on, and the cluster it is rolled for. */
export interface Target {
  readonly cluster: string;
  readonly group: string;
  /** The UUID in the group's ARN. */
  readonly uuid: string;
  /** When its roll began, or was announced; absent if there is none. */
  readonly begun?: Date | undefined;
  /** Hears at once of each of the group's tags as written; undefined for those removed. */
  readonly wrote?: (tags: Readonly<Record<string, string | undefined>>) => void;
}
