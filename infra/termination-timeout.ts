import { Duration } from 'aws-cdk-lib';

/** For how long an instance that ends outside a roll may take. */
export const TERMINATION_TIMEOUT = { least: Duration.minutes(5), most: Duration.hours(24) };
