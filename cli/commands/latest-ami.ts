import { createAws } from '../../lambda/aws/clients.ts';
import { imageCatalog } from '../../lambda/look/image-catalog.ts';
import { ageDays, type ImageFacts } from '../../lambda/status/images.ts';
import { table } from '../layout.ts';
import { Complaint, EXIT, type Exit, type Options, type Terminal } from '../session.ts';
import { json } from '../text.ts';
import { ageText } from './status.ts';

/** https://docs.aws.amazon.com/AmazonECS/latest/developerguide/retrieve-ecs-optimized_AMI.html and Bottlerocket's own */
const PARAMETERS: Readonly<Record<string, string>> = {
  'amazon-linux-2023': '/aws/service/ecs/optimized-ami/amazon-linux-2023/recommended',
  'amazon-linux-2023/arm64': '/aws/service/ecs/optimized-ami/amazon-linux-2023/arm64/recommended',
  'amazon-linux-2023/gpu': '/aws/service/ecs/optimized-ami/amazon-linux-2023/gpu/recommended',
  'amazon-linux-2': '/aws/service/ecs/optimized-ami/amazon-linux-2/recommended',
  'amazon-linux-2/arm64': '/aws/service/ecs/optimized-ami/amazon-linux-2/arm64/recommended',
  'bottlerocket/x86_64': '/aws/service/bottlerocket/aws-ecs-2/x86_64/latest/image_id',
  'bottlerocket/arm64': '/aws/service/bottlerocket/aws-ecs-2/arm64/latest/image_id',
};

/** The newest images that AWS recommends for ECS. */
export async function latestAmi(
  options: Options,
  terminal: Terminal,
  families: readonly string[],
): Promise<Exit> {
  const asked = families.length > 0 ? families : Object.keys(PARAMETERS);
  const images = imageCatalog(createAws());
  const now = new Date();
  const found: (ImageFacts & { readonly family: string })[] = [];
  for (const family of asked) {
    const result = await terminal.waiting(`reading ${family}`, () => images.inParameter(parameterOf(family)));
    if ('image' in result) {
      const { imageId, name, createdAt } = result.image;
      const age = ageDays(result.image, now);
      found.push({ family, imageId, name, createdAt: createdAt.toISOString(), ageDays: age });
    } else if (families.length > 0)
      throw new Complaint(`${parameterOf(family)} names no image that this account can use in this Region`);
  }
  if (found.length === 0) throw new Complaint('AWS recommends no image for ECS in this Region');
  const rows = found.map((each) => [each.family, each.imageId, each.name ?? '-', ageText(each)]);
  terminal.out(
    options.json ? json(found) : table(terminal, ['FAMILY', 'IMAGE', 'NAME', 'AGE'], rows, { drops: 'NAME' }),
  );
  return EXIT.done;
}

/** @param family one of the list, or a parameter of its own by name or ARN */
function parameterOf(family: string): string {
  if (family.startsWith('/') || family.startsWith('arn:')) return family;
  const parameter = PARAMETERS[family];
  if (parameter !== undefined) return parameter;
  const known = Object.keys(PARAMETERS).join(', ');
  throw new Complaint(`the family was "${family}"; it may be one of ${known}, or an SSM parameter`);
}
