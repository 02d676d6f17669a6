import { DescribeImagesCommand, type Image } from '@aws-sdk/client-ec2';
import { GetParametersCommand } from '@aws-sdk/client-ssm';
import { PARAMETERS } from './names.ts';
import type { Smoke } from './smoke.ts';

/** Ids. */
export interface Images {
  /** What the group is made with. */
  readonly older: string;
  /** What AWS recommends now. */
  readonly newest: string;
  /** No ECS agent is on it. */
  readonly plain: string;
}

/** So far apart that a newer release in between changes nothing. */
const OLDER_DAYS = 30;
const DAY_MS = 86_400_000;

/** Those that the test rolls between, of Amazon's own. */
export async function findImages(smoke: Pick<Smoke, 'aws'>): Promise<Images> {
  const parameters = await readParameters(smoke);
  const { image_id: newest, image_name: name } = JSON.parse(parameters.recommended);
  const releases = await releasesOf(smoke, String(name));
  return { older: olderThan(String(newest), releases), newest: String(newest), plain: parameters.plain };
}

async function readParameters({ aws }: Pick<Smoke, 'aws'>): Promise<Record<'recommended' | 'plain', string>> {
  const names = Object.values(PARAMETERS);
  const { Parameters = [] } = await aws.ssm.send(new GetParametersCommand({ Names: names }));
  const valueNamed = (name: string) => {
    const value = Parameters.find(({ Name }) => Name === name)?.Value;
    if (value === undefined) throw new Error(`There is no public parameter ${name} in this Region`);
    return value;
  };
  return { recommended: valueNamed(PARAMETERS.recommended), plain: valueNamed(PARAMETERS.plain) };
}

/** All that are called so but for the date, newest first. */
async function releasesOf({ aws }: Pick<Smoke, 'aws'>, name: string): Promise<Image[]> {
  const pattern = name.replace(/\d{8}/, '*');
  const { Images = [] } = await aws.ec2.send(
    new DescribeImagesCommand({ Owners: ['amazon'], Filters: [{ Name: 'name', Values: [pattern] }] }),
  );
  return Images.sort((one, other) => createdMs(other) - createdMs(one));
}

function olderThan(newest: string, releases: readonly Image[]): string {
  const before = createdMs(releases.find(({ ImageId }) => ImageId === newest));
  const older = releases.filter((image) => createdMs(image) < before);
  const wellBefore = older.find((image) => createdMs(image) <= before - OLDER_DAYS * DAY_MS);
  const id = (wellBefore ?? older.at(-1))?.ImageId;
  if (id === undefined) throw new Error(`There is no release older than ${newest}`);
  return id;
}

const createdMs = (image: Image | undefined) => Date.parse(image?.CreationDate ?? '');
