#!/usr/bin/env bash
# Packs the package and uses it as other people would: in the app that `cdk init` makes, with nothing of it changed but
# its stack and its test, and in an app of ES modules. Needs `npm ci` and `npm run build` to have been run.
set -euo pipefail
cd "$(dirname "$0")/.."

project=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

npm pack --silent --pack-destination "$scratch" >/dev/null
package=$(echo "$scratch"/ecs-ami-deploy-*.tgz)

echo 'package: the types resolve however an app resolves modules'
"$project/node_modules/.bin/attw" "$package" --format ascii

echo 'package: the app that cdk init makes: its types, its tests, its synth'
mkdir "$scratch/platform"
cd "$scratch/platform"
"$project/node_modules/.bin/cdk" init app --language typescript --generate-only >/dev/null
npm install --silent --no-audit --no-fund "$package"
cat >lib/platform-stack.ts <<'TYPESCRIPT'
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib/core';
import { CfnCluster, Cluster } from 'aws-cdk-lib/aws-ecs';
import type { Construct } from 'constructs';
import { EcsAmiDeploy, type EcsAmiDeployProps, Surge } from 'ecs-ami-deploy';

export class PlatformStack extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const clusters = [CfnCluster.fromClusterName(this, 'Web', 'web'), new Cluster(this, 'Jobs')];
    const { function: deployed } = new EcsAmiDeploy(this, 'Rollout', { clusters, maxSurge: Surge.percent(50) });
    new CfnOutput(this, 'FunctionName', { value: deployed.functionName });
  }
}

// @ts-expect-error Props are checked before anything runs.
export const mistyped: EcsAmiDeployProps = { clusters: 'web' };
TYPESCRIPT
cat >test/platform.test.ts <<'TYPESCRIPT'
import * as cdk from 'aws-cdk-lib/core';
import { Template } from 'aws-cdk-lib/assertions';
import { PlatformStack } from '../lib/platform-stack';

test('the stack has both functions', () => {
  const template = Template.fromStack(new PlatformStack(new cdk.App(), 'Platform'));
  template.resourceCountIs('AWS::Lambda::Function', 2);
});
TYPESCRIPT
cp "$project"/examples/*.ts bin/
npm run --silent build
npx --no-install jest
npx --no-install cdk synth --quiet
grep --quiet '"nodejs24.x"' cdk.out/PlatformStack.template.json
# The cluster's network brings an asset of its own.
for asset in cdk.out/asset.*/; do ! diff --recursive --brief "$asset" "$project/dist/lambda" || bundle=$asset; done >/dev/null
[[ -n ${bundle:-} ]]

echo 'package: the examples, and the test for a real account'
for example in bin/{own-cluster,several-stacks,imported,stages}.ts; do
  CDK_OUTDIR=$scratch/$(basename "$example") npx --no-install tsx "$example"
done
(cd "$project" && CDK_OUTDIR=$scratch/integ npx --no-install tsx test/integ/integ.plan.ts)
grep --quiet '"nodejs24.x"' "$scratch/integ/EcsAmiDeployIntegPlan.template.json"
for stack in own-cluster.ts/OwnCluster several-stacks.ts/Rollout-{web,jobs} imported.ts/Imported stages.ts/Sequence; do
  grep --quiet '"nodejs24.x"' "$scratch/$stack.template.json"
done

echo 'package: an app of ES modules'
cat >app.mjs <<'JAVASCRIPT'
import { App, Stack } from 'aws-cdk-lib';
import { CfnCluster } from 'aws-cdk-lib/aws-ecs';
import { EcsAmiDeploy } from 'ecs-ami-deploy';

const app = new App({ outdir: 'cdk.out.mjs' });
const stack = new Stack(app, 'Platform');
new EcsAmiDeploy(stack, 'Rollout', { clusters: [CfnCluster.fromClusterName(stack, 'Web', 'web')] });
app.synth();
JAVASCRIPT
node app.mjs
grep --quiet '"nodejs24.x"' cdk.out.mjs/Platform.template.json

echo 'package: a template for CloudFormation alone, in an empty folder'
mkdir "$scratch/empty"
(cd "$scratch/empty" && npx --yes --package "$package" ecs-ami-deploy template -c clusters=web)
grep --quiet '"nodejs24.x"' "$scratch/empty/ecs-ami-deploy-template/template.json"
diff --recursive --brief "$scratch/empty/ecs-ami-deploy-template/function" "$project/dist/lambda"

echo 'package: its command line, without its libraries, against the simulated AWS'
node --import "file://$project/node_modules/tsx/dist/loader.mjs" "$project/test/serve/main.ts" >"$scratch/served" 2>&1 &
server=$!
stop() {
  kill "$server" && wait "$server" || true
  rm -rf "$scratch"
} 2>/dev/null
trap stop EXIT
for _ in {1..300}; do
  if grep --quiet '_report.txt' "$scratch/served"; then break; fi
  kill -0 "$server"
  sleep 0.2
done
endpoint=$(grep --only-matching --max-count 1 'http://[0-9.]*:[0-9]*' "$scratch/served" | head -1)
export AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test AWS_REGION=eu-central-1
export AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null
mkdir "$scratch/alone"
tar --extract --gzip --file "$package" --directory "$scratch/alone"
! node "$scratch/alone/package/dist/cli/ecs-ami-deploy.cjs" template -c clusters=web 2>"$scratch/told"
grep --quiet 'needs the CDK' "$scratch/told"
node "$scratch/alone/package/dist/cli/ecs-ami-deploy.cjs" --endpoint "$endpoint" list-clusters | grep --quiet '^demo '
status=0
npx --no-install ecs-ami-deploy --endpoint "$endpoint" status demo >"$scratch/status" || status=$?
[[ $status == 2 ]]
grep --quiet -E '^  demo-ecs +planned +6 of 6 ' "$scratch/status"
npx --no-install ecs-ami-deploy --endpoint "$endpoint" --json latest-ami amazon-linux-2023 | grep --quiet '"imageId"'
