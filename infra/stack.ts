import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { propsFromContext } from './context.ts';
import { EcsAmiDeploy } from './ecs-ami-deploy.ts';

export interface EcsAmiDeployStackProps extends StackProps {
  /**
   * The function's code, as of the construct.
   * @default the bundle that `npm run build` made
   */
  readonly code?: Code;
}

/** The function as a stack of its own, told by the context of `cdk.json` what to roll. */
export class EcsAmiDeployStack extends Stack {
  readonly deployment: EcsAmiDeploy;

  /** @throws DeploymentError with every fault of the context at once */
  constructor(scope: Construct, id: string, { code, ...props }: EcsAmiDeployStackProps = {}) {
    super(scope, id, { description: 'Rolls ECS clusters onto the newest image (ecs-ami-deploy)', ...props });
    // An id that the CDK leaves out of names: alarms are to be told apart by theirs, such as `EcsAmiDeploy-ErrorsAlarm…`.
    this.deployment = new EcsAmiDeploy(this, 'Default', { ...propsFromContext(this), code });
    new CfnOutput(this, 'FunctionName', {
      description: 'To invoke it by',
      value: this.deployment.function.functionName,
    });
    new CfnOutput(this, 'OrdersFunctionName', {
      description: 'To order a pause, resume, abort or rollback by, at any time',
      value: this.deployment.ordersFunction.functionName,
    });
    new CfnOutput(this, 'StateKeyArn', {
      description: 'To deploy anew with in mid-roll, as stateKeyArn; it outlives the stack',
      value: this.deployment.stateKey.keyArn,
    });
  }
}
