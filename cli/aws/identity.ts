import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';

/** Who calls. It takes no right. */
export async function callerArn(): Promise<string> {
  const { Arn = 'unknown' } = await new STSClient({}).send(new GetCallerIdentityCommand({}));
  return Arn;
}
