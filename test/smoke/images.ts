import { DescribeImagesCommand, type Image } from '@aws-sdk/client-ec2';
import { findParameter } from './found.ts';
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

/** The id of one that has no ECS agent. */
export const findPlainImage = (smoke: Pick<Smoke, 'aws'>) => readParameter(smoke, PARAMETERS.plain);

/** Those that the test rolls between, of Amazon's own. */
export async function findImages(smoke: Pick<Smoke, 'aws'>): Promise<Images> {
  const recommended = JSON.parse(await readParameter(smoke, PARAMETERS.recommended));
  const newest = String(recommended.image_id);
  const releases = await releasesOf(smoke, String(recommended.image_name));
  return { older: olderThan(newest, releases), newest, plain: await findPlainImage(smoke) };
}

async function readParameter(smoke: Pick<Smoke, 'aws'>, name: string): Promise<string> {
  const value = await findParameter(smoke, name);
  if (value === undefined) throw new Error(`There is no public parameter ${name} in this Region`);
  return value;
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
