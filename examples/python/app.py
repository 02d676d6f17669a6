"""A cluster by name and one of the app's own, rolled with half as many instances more."""

from aws_cdk import App, CfnOutput, Duration, Stack
from aws_cdk.aws_ecs import CfnCluster, Cluster
from ecs_ami_deploy import DriftCause, EcsAmiDeploy, Surge

app = App()
stack = Stack(app, "Platform")
rollout = EcsAmiDeploy(
    stack,
    "Rollout",
    clusters=[CfnCluster.from_cluster_name(stack, "Web", "web"), Cluster(stack, "Jobs")],
    max_surge=Surge.percent(50),
    bake_time=Duration.minutes(5),
    drift=[DriftCause.IMAGE, DriftCause.AGE],
    max_instance_age=Duration.days(30),
)
CfnOutput(stack, "FunctionName", value=rollout.function.function_name)
app.synth()
