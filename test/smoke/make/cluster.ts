import {
  type Cluster,
  CreateClusterCommand,
  DeleteClusterCommand,
  DescribeClustersCommand,
} from '@aws-sdk/client-ecs';
import { ECS_TAGS, NAME, TAG } from '../names.ts';
import type { Smoke, Step } from '../smoke.ts';
import { secondsUntil } from '../wait.ts';
import { alreadyThere } from './already-there.ts';

/** Until ECS has heard of the end of the instances. */
const EMPTY = { what: 'the cluster without instances', seconds: 900, everySeconds: 15 };

export const clusterStep: Step = {
  name: 'cluster',
  makes: `the ECS cluster ${NAME}`,
  cents: 0,
  minutes: 0,
  lacks: async (smoke) => (await findCluster(smoke)) && alreadyThere(`cluster ${NAME}`),
  async make({ aws }) {
    await aws.ecs.send(new CreateClusterCommand({ clusterName: NAME, tags: ECS_TAGS }));
  },
  async remove(smoke) {
    const cluster = await findCluster(smoke);
    if (cluster === undefined) return [];
    // The name alone is no proof that it is ours.
    if (!isOurs(cluster)) throw new Error(`The cluster ${NAME} lacks the tag ${TAG}`);
    await secondsUntil(
      smoke,
      EMPTY,
      async () => (await findCluster(smoke))?.registeredContainerInstancesCount === 0,
    );
    await smoke.aws.ecs.send(new DeleteClusterCommand({ cluster: NAME }));
    return [`cluster ${NAME}`];
  },
};

/** None: there is none, or no more. */
export async function findCluster({ aws }: Pick<Smoke, 'aws'>) {
  const { clusters = [] } = await aws.ecs.send(
    new DescribeClustersCommand({ clusters: [NAME], include: ['TAGS'] }),
  );
  return clusters.find(({ status }) => status === 'ACTIVE');
}

/** The same, but for somebody else's of that name: what is in there is not ours either. */
export async function findOwnCluster(smoke: Pick<Smoke, 'aws'>) {
  const cluster = await findCluster(smoke);
  return cluster && isOurs(cluster) ? cluster : undefined;
}

const isOurs = ({ tags = [] }: Cluster) => tags.some(({ key }) => key === TAG);
