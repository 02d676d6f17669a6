/** An instance refresh in progress. */
export interface RunningRefresh {
  /** Its id and status. */
  readonly status: string;
  /** It has a desired configuration: the group launches that, and its own can't be changed. */
  readonly decidesLaunches: boolean;
}
