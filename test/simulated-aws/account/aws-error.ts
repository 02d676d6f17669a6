/**
 * What AWS would refuse a call with; `code` is the one on the wire, such as `ValidationError` or
 * `Throttling`.
 */
export class AwsError extends Error {
  override readonly name = 'AwsError';
  readonly code: string;
  readonly statusCode: number;
  /** Further members of the error, as they are on the wire. */
  readonly details: object;

  constructor(code: string, message: string, statusCode = 400, details: object = {}) {
    super(message);
    this.code = code;
    this.statusCode = statusCode;
    this.details = details;
  }
}

/**
 * What nobody simulates is refused so that no SDK retries it, by a message that says what is missing.
 * @param what an operation, such as `ec2.RunInstances`, or a part of its input
 */
export function notSimulated(what: string): AwsError {
  return new AwsError('NotImplemented', `${what} is not simulated`, 501);
}
