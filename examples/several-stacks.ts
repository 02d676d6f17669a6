/** Clusters and their rollouts in stacks of their own: each rollout rolls one cluster alone. */
import { App, Stack } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Vpc } from 'aws-cdk-lib/aws-ec2';
import { Cluster } from 'aws-cdk-lib/aws-ecs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { DrainConcurrency, EcsAmiDeploy } from 'ecs-ami-deploy';

const app = new App();
const shared = new Stack(app, 'Shared');
const vpc = new Vpc(shared, 'Network', { maxAzs: 2 });
const onCall = new Topic(shared, 'OnCall');

for (const name of ['web', 'jobs']) {
  const clusters = new Stack(app, `Cluster-${name}`);
  const cluster = new Cluster(clusters, 'Cluster', { vpc, clusterName: name });
  const errors = new Metric({ namespace: name, metricName: 'Errors' });
  const alarm = errors.createAlarm(clusters, 'Errors', { threshold: 1, evaluationPeriods: 1 });

  new EcsAmiDeploy(new Stack(app, `Rollout-${name}`), 'Rollout', {
    clusters: [cluster],
    // Nothing new begins while it is on, and a roll that sets it off goes back.
    alarms: [alarm],
    drainConcurrency: DrainConcurrency.AUTO,
    alarmTopic: onCall,
  });
}
