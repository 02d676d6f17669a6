#!/usr/bin/env bash
# Packs the package, installs it into an empty CDK app outside of this project, type-checks and synthesizes that.
# Needs `npm ci` and `npm run build` to have been run.
set -euo pipefail
cd "$(dirname "$0")/.."

project=$PWD
app=$(mktemp -d)
trap 'rm -rf "$app"' EXIT

version_of() { node -p "require('./package.json').devDependencies['$1']"; }

npm pack --silent --pack-destination "$app" >/dev/null
cdk_lib=aws-cdk-lib@$(version_of aws-cdk-lib)
constructs=constructs@$(version_of constructs)
cd "$app"
cat >package.json <<'JSON'
{ "name": "platform", "private": true, "type": "module" }
JSON
npm install --silent --no-audit --no-fund ./ecs-ami-deploy-*.tgz "$cdk_lib" "$constructs"

cat >app.ts <<'TYPESCRIPT'
import { App, CfnOutput, Stack } from 'aws-cdk-lib';
import { Cluster } from 'aws-cdk-lib/aws-ecs';
import { EcsAmiDeploy, type EcsAmiDeployProps } from 'ecs-ami-deploy';

const app = new App({ outdir: 'cdk.out' });
const stack = new Stack(app, 'Platform');
const props: EcsAmiDeployProps = { clusters: ['web', new Cluster(stack, 'Jobs')], maxSurge: '50%' };
const deployment = new EcsAmiDeploy(stack, 'Rollout', props);
new CfnOutput(stack, 'FunctionName', { value: deployment.function.functionName });
app.synth();

// @ts-expect-error Props are checked before anything runs.
export const mistyped: EcsAmiDeployProps = { clusters: 'web' };
TYPESCRIPT
"$project/node_modules/.bin/tsc" --strict --target es2023 --lib es2023,esnext.disposable --module nodenext app.ts
node app.js

grep --quiet '"nodejs24.x"' cdk.out/Platform.template.json
diff --recursive "$(dirname cdk.out/asset.*/index.js)" "$project/dist/lambda"
