/**
 * What IAM takes of a role: characters of its inline policies together and of each managed policy, without
 * white space, and managed policies. Ten of them were the default for long; today twenty are, which leaves
 * the role's owner some.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
 */
export const MOST_INLINE = 10_240;
export const MOST_MANAGED = 6_144;
export const MOST_MANAGED_POLICIES = 10;

/** What a policy has besides its statements. */
export const AROUND_STATEMENTS = '{"Statement":[],"Version":"2012-10-17"}'.length;

/** How many characters what only CloudFormation knows is taken to have. */
export interface Guess {
  readonly name: number;
  readonly partition: number;
  readonly region: number;
}

/** What a name may have, and `aws-us-gov` and `us-isof-south-1` do. */
export const LONGEST: Guess = { name: 255, partition: 10, region: 15 };
/** `ap-southeast-1` and shorter ones, of AWS itself. */
export const USUAL: Guess = { ...LONGEST, partition: 3, region: 14 };
/** Whatever it turns out to be, it's no less. */
export const SHORTEST: Guess = { name: 0, partition: 3, region: 9 };

/** What an ARN has besides its name, partition, Region and account. */
const ARN = 'arn::logs:::log-group:'.length;
const ACCOUNT = 12;

/** Characters of a resolved value, once CloudFormation has made it JSON without white space. */
export function jsonLength(value: unknown, guess: Guess): number {
  if (Array.isArray(value)) return listLength(value.map((item) => jsonLength(item, guess)));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value).length;
  if (isIntrinsic(value)) return '""'.length + textLength(value, guess);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return listLength(members.map(([key, member]) => `"${key}":`.length + jsonLength(member, guess)));
}

/** With a comma between two of them, in brackets or braces. */
const listLength = (lengths: readonly number[]) =>
  '[]'.length + Math.max(0, lengths.length - 1) + lengths.reduce((sum, length) => sum + length, 0);

function isIntrinsic(value: object): boolean {
  const [name = '', ...more] = Object.keys(value);
  return more.length === 0 && (name === 'Ref' || name.startsWith('Fn::'));
}

function textLength(value: unknown, guess: Guess): number {
  if (typeof value !== 'object' || value === null) return JSON.stringify(String(value)).length - '""'.length;
  const [[name, operand] = []] = Object.entries(value);
  if (name === 'Fn::Join' && Array.isArray(operand) && Array.isArray(operand[1])) {
    const [delimiter, parts] = operand;
    const between = textLength(delimiter, guess) * Math.max(0, parts.length - 1);
    return parts.reduce((sum: number, part: unknown) => sum + textLength(part, guess), between);
  }
  if (name === 'Fn::GetAtt' && /Arn$/.test(String(operand)))
    return guess.name + ARN + guess.partition + guess.region + ACCOUNT;
  if (name !== 'Ref') return guess.name;
  const pseudo: Readonly<Record<string, number>> = {
    'AWS::Partition': guess.partition,
    'AWS::Region': guess.region,
    'AWS::AccountId': ACCOUNT,
  };
  return pseudo[String(operand)] ?? guess.name;
}
