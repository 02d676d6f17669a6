/** The id or name that an ARN ends with; an id or name is its own. */
export function endOfArn(arn: string): string {
  return arn.slice(arn.lastIndexOf('/') + 1);
}
