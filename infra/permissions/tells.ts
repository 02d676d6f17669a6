import { EVENT_SOURCE } from '../../lambda/contract.ts';
import type { Permission, PermissionScope } from './permission.ts';

/** Lets a roll tell an event bus what becomes of it, in no other name than its own. */
export function eventPermissions(eventBusArn: string | undefined): Permission[] {
  if (eventBusArn === undefined) return [];
  return [
    {
      actions: ['events:PutEvents'],
      resources: [eventBusArn],
      conditions: {
        'ForAllValues:StringEquals': { 'events:source': EVENT_SOURCE },
        Null: { 'events:source': 'false' },
      },
    },
  ];
}

/** Lets the function ask the hooks it was deployed with, and nobody else. */
export function hookPermissions({ props: { onTrialPassed, beforeBatch } }: PermissionScope): Permission[] {
  const hooks = [onTrialPassed, beforeBatch].flatMap((hook) => hook ?? []);
  const topics = hooks.flatMap(({ topic }) => topic ?? []);
  const functions = hooks.filter(({ topic }) => topic === undefined).map(String);
  const keys = topics.flatMap(({ masterKey }) => masterKey?.keyArn ?? []);
  return [
    ...allow(['lambda:InvokeFunction'], functions),
    ...allow(
      ['sns:Publish'],
      topics.map(({ topicArn }) => topicArn),
    ),
    // https://docs.aws.amazon.com/sns/latest/dg/sns-key-management.html
    ...allow(['kms:GenerateDataKey', 'kms:Decrypt'], keys),
  ];
}

function allow(actions: readonly string[], resources: readonly string[]): Permission[] {
  return resources.length === 0 ? [] : [{ actions, resources: [...new Set(resources)] }];
}
