import {
  CreateServiceCommand,
  DeleteServiceCommand,
  DeleteTaskDefinitionsCommand,
  DeregisterTaskDefinitionCommand,
  ListTaskDefinitionsCommand,
  RegisterTaskDefinitionCommand,
} from '@aws-sdk/client-ecs';
import { findService } from '../found.ts';
import { ECS_TAGS, NAME, PROVIDER, TASKS } from '../names.ts';
import type { Smoke, Step } from '../smoke.ts';
import { secondsUntil } from '../wait.ts';
import { findOwnCluster } from './cluster.ts';

const STEADY = { what: 'both tasks of the service', seconds: 900, everySeconds: 10 };
const GONE = { what: 'the end of the service', seconds: 900, everySeconds: 10 };

/** Some 2 MB, and a server that does nothing; as process 1 it hears no SIGTERM, hence the short timeout. */
const CONTAINER = {
  name: 'main',
  image: 'public.ecr.aws/docker/library/busybox:stable',
  command: ['httpd', '-f', '-p', '8080'],
  cpu: 128,
  memory: 64,
  essential: true,
  stopTimeout: 2,
};

export const serviceStep: Step = {
  name: 'service',
  makes: `the service ${NAME}, of two tasks of busybox`,
  cents: 0,
  minutes: 2,
  async make(smoke) {
    await smoke.aws.ecs.send(
      new RegisterTaskDefinitionCommand({ family: NAME, containerDefinitions: [CONTAINER], tags: ECS_TAGS }),
    );
    await smoke.aws.ecs.send(
      new CreateServiceCommand({
        cluster: NAME,
        serviceName: NAME,
        taskDefinition: NAME,
        desiredCount: TASKS,
        capacityProviderStrategy: [{ capacityProvider: PROVIDER, weight: 1 }],
        placementStrategy: [{ type: 'spread', field: 'instanceId' }],
        deploymentConfiguration: { minimumHealthyPercent: 100, maximumPercent: 200 },
        tags: ECS_TAGS,
      }),
    );
    await secondsUntil(smoke, STEADY, () => isSteady(smoke));
  },
  async remove(smoke) {
    return [...(await removeService(smoke)), ...(await removeTaskDefinitions(smoke))];
  },
};

export async function isSteady(smoke: Pick<Smoke, 'aws'>): Promise<boolean> {
  const service = await findService(smoke);
  return service?.runningCount === TASKS && service.deployments?.length === 1;
}

async function removeService(smoke: Smoke): Promise<string[]> {
  if ((await findOwnCluster(smoke)) === undefined) return [];
  const service = await findService(smoke);
  if (service === undefined) return [];
  if (service.status === 'ACTIVE')
    await smoke.aws.ecs.send(new DeleteServiceCommand({ cluster: NAME, service: NAME, force: true }));
  await secondsUntil(smoke, GONE, async () => (await findService(smoke)) === undefined);
  return [`service ${NAME}`];
}

/** Those that are only deregistered stay for ever. */
async function removeTaskDefinitions({ aws }: Smoke): Promise<string[]> {
  const list = async (status: 'ACTIVE' | 'INACTIVE') => {
    const query = new ListTaskDefinitionsCommand({ familyPrefix: NAME, status });
    return (await aws.ecs.send(query)).taskDefinitionArns ?? [];
  };
  for (const taskDefinition of await list('ACTIVE'))
    await aws.ecs.send(new DeregisterTaskDefinitionCommand({ taskDefinition }));
  const inactive = (await list('INACTIVE')).slice(0, 10);
  if (inactive.length > 0)
    await aws.ecs.send(new DeleteTaskDefinitionsCommand({ taskDefinitions: inactive }));
  return inactive.map((arn) => `task definition ${arn.split('/').at(-1)}`);
}
