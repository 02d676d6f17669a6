import {
  type Attribute,
  DeleteAttributesCommand,
  ListAttributesCommand,
  PutAttributesCommand,
} from '@aws-sdk/client-ecs';
import { AwsError, type Operation, on } from '../../account/operation.ts';
import { createPager } from '../paging.ts';
import type { State } from '../state.ts';
import { findByArn, findCluster, invalidParameter, PAGE_CODES } from './lookup.ts';
import type { Cluster, ContainerInstance } from './model.ts';
import { touchStarved } from './touch.ts';

const ATTRIBUTE = { name: 'all', value: 'all', targetId: 'all', targetType: ['container-instance'] } as const;

/** Attributes that an owner puts on container instances by hand; new instances don't get them. */
export function attributeOperations(state: State): Operation[] {
  return [
    on(PutAttributesCommand, { cluster: 'all', attributes: ATTRIBUTE }, (input) => {
      const cluster = findCluster(state, input.cluster);
      const attributes = input.attributes ?? [];
      for (const each of attributes) targetOf(cluster, each).attributes.set(each.name ?? '', each.value);
      touchStarved(state, cluster);
      return { attributes };
    }),
    on(DeleteAttributesCommand, { cluster: 'all', attributes: ATTRIBUTE }, (input) => {
      const cluster = findCluster(state, input.cluster);
      const attributes = input.attributes ?? [];
      for (const each of attributes) targetOf(cluster, each).attributes.delete(each.name ?? '');
      return { attributes };
    }),
    listAttributes(state),
  ];
}

function targetOf(cluster: Cluster, { targetId = '' }: Attribute): ContainerInstance {
  const found = findByArn(cluster.containerInstances, targetId);
  // ledger: put-attributes-target
  if (!found)
    throw new AwsError('TargetNotFoundException', `The specified target was not found: ${targetId}`);
  return found;
}

function listAttributes(state: State): Operation {
  const page = createPager<Attribute>('ListAttributes', { default: 100, max: 100, ...PAGE_CODES });
  return on(
    ListAttributesCommand,
    {
      targetType: 'all',
      cluster: 'all',
      attributeName: 'all',
      attributeValue: 'all',
      nextToken: 'all',
      maxResults: 'all',
    },
    (input) => {
      // ledger: list-attributes-target-type
      if (input.targetType !== 'container-instance') throw invalidParameter('Invalid target type.');
      const cluster = findCluster(state, input.cluster);
      const all = [...cluster.containerInstances.values()].flatMap(({ arn: targetId, attributes }) =>
        [...attributes].map(([name, value]): Attribute => ({ name, value, targetId })),
      );
      const wanted = all.filter(
        ({ name, value }) =>
          (input.attributeName ?? name) === name && (input.attributeValue ?? value) === value,
      );
      const { items, token } = page(wanted, { limit: input.maxResults, token: input.nextToken });
      return { attributes: [...items], nextToken: token };
    },
  );
}
