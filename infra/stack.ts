import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { propsFromContext } from './context.ts';
import { EcsAmiDeploy } from './ecs-ami-deploy.ts';

export interface EcsAmiDeployStackProps extends StackProps {
  /**
   * The function's code, as in the construct's props.
   * @default the bundle that `npm run build` made
   */
  readonly code?: Code;
}

/** The function as a stack of its own, configured by the context in `cdk.json`. */
export class EcsAmiDeployStack extends Stack {
  readonly deployment: EcsAmiDeploy;

  /** @throws DeploymentError with every fault of the context at once */
  constructor(scope: Construct, id: string, { code, ...props }: EcsAmiDeployStackProps = {}) {
    super(scope, id, { description: 'Rolls ECS clusters onto the newest image (ecs-ami-deploy)', ...props });
    // The CDK leaves the id `Default` out of names, which keeps alarm names readable:
    // `EcsAmiDeploy-ErrorsAlarm…`.
    this.deployment = new EcsAmiDeploy(this, 'Default', { ...propsFromContext(this), code });
    new CfnOutput(this, 'FunctionName', {
      description: 'The function to invoke',
      value: this.deployment.function.functionName,
    });
    new CfnOutput(this, 'OrdersFunctionName', {
      description: 'The function to invoke for a pause, resume, abort or rollback, at any time',
      value: this.deployment.ordersFunction.functionName,
    });
    new CfnOutput(this, 'StateKeyArn', {
      description: 'Outlives the stack; set it as stateKeyArn when you deploy again in the middle of a roll',
      value: this.deployment.stateKey.keyArn,
    });
  }
}
