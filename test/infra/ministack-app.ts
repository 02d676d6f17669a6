/**
 * The app that `.ci/deploy.sh` deploys: the stack as `infra/app.ts` makes it, with functions that call the
 * simulated AWS. MiniStack's own Auto Scaling and container instances are stubs, with nothing to plan.
 */
import { App } from 'aws-cdk-lib';
import { EcsAmiDeployStack } from '../../infra/stack.ts';

const { deployment } = new EcsAmiDeployStack(new App(), 'EcsAmiDeploy');
const endpoint = process.env.SIMULATED_AWS_ENDPOINT;
if (endpoint !== undefined)
  for (const service of ['ECS', 'EC2', 'AUTO_SCALING', 'SSM', 'CLOUDWATCH', 'IAM'])
    for (const each of [deployment.function, deployment.ordersFunction])
      each.addEnvironment(`AWS_ENDPOINT_URL_${service}`, endpoint);
