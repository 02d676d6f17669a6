import type { State } from '../state.ts';
import type { Cluster } from './model.ts';

/**
 * Of older ones it doesn't name the cluster, and the id is longer:
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/ecs-account-settings.html#ecs-resource-ids
 */
export function arnIn(
  { region, account }: Pick<State, 'region' | 'account'>,
  { name }: Pick<Cluster, 'name'>,
  kind: 'container-instance' | 'task',
  id: string,
  isShort = false,
): string {
  const path = isShort ? id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') : `${name}/${id}`;
  return `arn:aws:ecs:${region}:${account}:${kind}/${path}`;
}
