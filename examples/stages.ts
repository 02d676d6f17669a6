/** Staging before production, in five accounts and three Regions: each stack rolls by itself, when its stage may. */
import { App, Duration, Stack } from 'aws-cdk-lib';
import { CfnCluster } from 'aws-cdk-lib/aws-ecs';
import { BeforeStage, EcsAmiDeploy, RolloutSequence, StacksApart } from 'ecs-ami-deploy';

const STAGING = '111122223333';
const PRODUCTION = ['222233334444', '333344445555', '444455556666', '555566667777'];
const HOME = 'eu-west-1';
const REGIONS = [HOME, 'eu-central-1', 'us-east-1'];

const app = new App();
// The account of the table is whoever's may hold up all others: here that of staging, better one of its own.
const { tableArn } = new RolloutSequence(
  new Stack(app, 'Sequence', { env: { account: STAGING, region: HOME } }),
  'Sequence',
  {
    // By its name the other stacks know its ARN.
    tableName: 'ecs-releases',
    stages: [
      { name: 'staging', members: [{ account: STAGING }], soakTime: Duration.days(2) },
      {
        name: 'first Region',
        members: PRODUCTION.map((account) => ({ account, regions: [HOME] })),
        maxConcurrent: 2,
        tolerate: 1,
        quorum: 2,
      },
      {
        name: 'other Regions',
        // Those of the first Region are in the stage before.
        members: PRODUCTION.map((account) => ({ account })),
        maxConcurrent: 2,
        tolerate: 1,
        apart: StacksApart.REGION,
        beforeStage: BeforeStage.APPROVAL,
        soakTime: Duration.hours(0),
      },
    ],
  },
);

for (const account of [STAGING, ...PRODUCTION])
  for (const region of REGIONS) {
    const stack = new Stack(app, `Rollout-${account}-${region}`, { env: { account, region } });
    new EcsAmiDeploy(stack, 'Rollout', {
      clusters: [CfnCluster.fromClusterName(stack, 'Web', 'web')],
      sequenceTableArn: tableArn,
      sequenceStackName: 'web',
    });
  }
