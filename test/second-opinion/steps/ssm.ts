import { GetParameterCommand, GetParametersCommand } from '@aws-sdk/client-ssm';
import { recommendedParameter } from '../../../lambda/core/launch-spec/image-family.ts';
import { FAMILIES } from '../../simulated-aws/world/ec2/families.ts';
import { ACCOUNT, type Account, NAMES, REGION } from '../account.ts';
import { type Step, step } from './step.ts';

const { parameter, labelledParameter: labelled, label } = NAMES;
const ARN = `arn:aws:ssm:${REGION}:${ACCOUNT}:parameter${labelled}`;

const get = (Name: string) => (at: Account) => at.ssm.send(new GetParameterCommand({ Name }));
const getAll =
  (...Names: string[]) =>
  (at: Account) =>
    at.ssm.send(new GetParametersCommand({ Names }));

/** Those of Amazon Linux, which moto has as they really were. */
const PUBLIC = FAMILIES.filter((family) => family.startsWith('amazon-linux'));

/**
 * The two hold different images of a family: alike are the fields, and to what family the image is told to
 * belong.
 */
const recommended =
  (family: string) =>
  async ({ ssm }: Account) => {
    const Name = `/aws/service/ecs/optimized-ami/${family}/recommended`;
    const { Parameter } = await ssm.send(new GetParameterCommand({ Name }));
    const { ARN: arn, Name: name, Type, Value = '' } = Parameter ?? {};
    // moto writes it with single quotes.
    const fields = [...Value.matchAll(/["'](\w+)["']: ?["']?([^"',}]*)/g)];
    const imageName = fields.find(([, field]) => field === 'image_name')?.[2] ?? '';
    return {
      arn,
      name,
      Type,
      fields: fields.map(([, field]) => field),
      family: recommendedParameter(imageName),
    };
  };

export const SSM_STEPS: readonly Step[] = [
  step('get a parameter, and one that is unknown', getAll(parameter, '/unknown')),
  step('get an unknown parameter', get('/unknown')),
  step('get the newest version of a parameter', get(labelled)),
  step('get a version of a parameter by its number', get(`${labelled}:1`)),
  step('get a version of a parameter by its label', get(`${labelled}:${label}`)),
  step('get an unknown version of a parameter', get(`${labelled}:9`)),
  step('get an unknown label of a parameter', get(`${labelled}:unknown`)),
  step('get a version of an unknown parameter', get('/unknown:1')),
  step('get a parameter by its ARN', get(ARN)),
  step('get a version of a parameter by its ARN', get(`${ARN}:${label}`)),
  step('get parameters by version and label', getAll(`${labelled}:2`, `${labelled}:${label}`)),
  step(
    'get parameters by an unknown version and an unknown label',
    getAll(`${labelled}:9`, `${labelled}:unknown`),
  ),
  step('get parameters by their ARNs', getAll(ARN, `${ARN}:${label}`)),
  ...PUBLIC.map((family) => step(`get the public parameter of ${family}`, recommended(family))),
];
