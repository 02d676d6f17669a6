/** The build puts this into a file of its own: see `infra/apart-plugin.ts`. */
export { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
