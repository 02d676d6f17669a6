import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { ImageOwner, ImageSource } from '../../infra/choices.ts';
import { deployment } from './deployment.ts';

const hints = (props: Parameters<typeof deployment>[0]) =>
  Annotations.fromStack(deployment(props).stack)
    .findWarning('*', Match.stringLikeRegexp('amazonsImage'))
    .map(({ entry }) => entry.data);

test('whoever names an image of their own without its owner hears that it is looked for among those of Amazon', () => {
  expect(hints({ image: ImageSource.newest('golden-*') })).toEqual([
    expect.stringMatching(/^golden-\* is looked for among Amazon's images alone: .+ \(-c imageOwner=self\)/),
  ]);
});

test.each([
  { image: ImageSource.newest('golden-*'), imageOwner: ImageOwner.SELF },
  { image: ImageSource.newest('golden-*'), imageOwner: ImageOwner.AMAZON },
  { image: ImageSource.newest('al2023-ami-ecs-hvm-*-x86_64') },
  { image: ImageSource.ssmParameter('/images/golden') },
  {},
])('nobody else does: %#', (props) => {
  expect(hints(props)).toEqual([]);
});
