import { Annotations, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { RolloutSettings } from './rollout-settings.ts';

/** How Amazon names its images for ECS. */
const OF_AMAZON = /^(al2023-|amzn|bottlerocket-|Windows_Server-|\*)/;

/** A name alone is looked for among Amazon's images, where nobody's own are. */
export function hintAtOwner(
  scope: Construct,
  { image, imageOwner }: Pick<RolloutSettings, 'image' | 'imageOwner'>,
): void {
  const text = String(image ?? '');
  const [, name] = /^name:(.*)$/.exec(text) ?? [];
  if (name === undefined || imageOwner !== undefined || Token.isUnresolved(text) || OF_AMAZON.test(name))
    return;
  Annotations.of(scope).addWarningV2(
    'ecs-ami-deploy:amazonsImage',
    `${name} is looked for among Amazon's images alone: for one of your own set imageOwner to ImageOwner.SELF (-c imageOwner=self).`,
  );
}
