import * as z from 'zod/mini';
import { GROUP_TAGS, INSTANCE_TAGS } from '../../lambda/contract.ts';
import { REJECTION_TAG_KEYS, ROLL_TAG_KEYS } from '../../lambda/tags/roll-tags.ts';
import type { OwnInvariant } from '../simulated-aws/invariants/own.ts';

const OURS: ReadonlySet<string> = new Set([
  ...ROLL_TAG_KEYS,
  ...REJECTION_TAG_KEYS,
  GROUP_TAGS.paused,
  ...Object.values(INSTANCE_TAGS),
]);

/** Settings, as tags of a group. */
const OWNERS = /^ecs-ami-deploy:/;

/** As Auto Scaling and EC2 both have them. */
const TAGGED = z.object({ Tags: z.optional(z.array(z.object({ Key: z.optional(z.string()) }))) });

/**
 * 7. Calls write and remove only our own tags, and no owner's settings. EC2 deletes all tags if none is
 * named: https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DeleteTags.html
 */
export const tagKeys: OwnInvariant = {
  number: 7,
  watch:
    ({ expectations: { ownersCall = false } }, ledger) =>
    (event) => {
      if (event.kind !== 'called' || !/Tags$/.test(event.operation)) return;
      const { Tags = [] } = TAGGED.parse(event.input);
      const mayBe = (key: string) => OURS.has(key) || (ownersCall && OWNERS.test(key));
      const others = Tags.flatMap(({ Key = '' }) => (mayBe(Key) ? [] : [Key]));
      if (Tags.length === 0) others.push('all there are');
      ledger.expect(7, others.length === 0, () => `${event.operation} of ${others}`);
    },
};
