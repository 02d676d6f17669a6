import type { CreateOrUpdateTagsType } from '@aws-sdk/client-auto-scaling';
import type { CreateTagsRequest } from '@aws-sdk/client-ec2';
import type { Call, Interceptor } from '../account/call.ts';
import type { Clock } from '../clock/clock.ts';
import type { ResourceFacts, Tags } from '../iam/context.ts';

/** What IAM knows of tags, some time after they were written. */
export interface LaggingTags {
  readonly facts: ResourceFacts;
  /** Watches the writes, and so stands before what asks the facts. */
  readonly interceptor: Interceptor;
}

interface Past {
  readonly tags: Tags | undefined;
  readonly untilMs: number;
}

/**
 * The tags of a resource as IAM judges by them: for so long after a write as they were before. EC2 and Auto
 * Scaling tell the one thing, "tags may not be there at once":
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot.html#troubleshoot_general_eventual-consistency
 */
export function laggingTags(facts: () => ResourceFacts, clock: Clock, seconds: number): LaggingTags {
  const past = new Map<string, Past>();

  function asKnown(id: string, now: Tags | undefined): Tags | undefined {
    const before = past.get(id);
    return before === undefined || before.untilMs <= clock.now() ? now : before.tags;
  }

  function keep(id: string): void {
    const tags = id.startsWith('i-') ? facts().instanceTags(id) : facts().group(id)?.tags;
    past.set(id, { tags: asKnown(id, tags), untilMs: clock.now() + seconds * 1000 });
  }

  return {
    interceptor: {
      before(call) {
        for (const id of taggedBy(call)) keep(id);
      },
    },
    facts: {
      get region() {
        return facts().region;
      },
      get accountId() {
        return facts().accountId;
      },
      instanceTags: (id) => asKnown(id, facts().instanceTags(id)),
      group(name) {
        const group = facts().group(name);
        return group && { ...group, tags: asKnown(name, group.tags) ?? {} };
      },
      launchConfiguration: (name) => facts().launchConfiguration(name),
      launchTemplate: (idOrName) => facts().launchTemplate(idOrName),
      key: (named) => facts().key(named),
      table: (arn) => facts().table(arn),
      instanceProfileRoleArn: (nameOrArn) => facts().instanceProfileRoleArn(nameOrArn),
    },
  };
}

function taggedBy({ operation, input }: Call): string[] {
  switch (operation) {
    case 'CreateTags':
    case 'DeleteTags': {
      const { Resources = [] } = input as Partial<CreateTagsRequest>;
      if (Resources.length > 0) return [...Resources];
      return groupsOf(input as CreateOrUpdateTagsType);
    }
    case 'CreateOrUpdateTags':
      return groupsOf(input as CreateOrUpdateTagsType);
    default:
      return [];
  }
}

function groupsOf({ Tags = [] }: CreateOrUpdateTagsType): string[] {
  return [...new Set(Tags.flatMap(({ ResourceId }) => ResourceId ?? []))];
}
