#!/usr/bin/env bash
# The construct in other languages: jsii accepts its types, API.md tells of them, and a Python app is synthesized with the
# package that is made of it, to the same template as by TypeScript. Needs `npm ci`, and Python 3.11 or newer with venv.
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

echo 'jsii: compile'
npm run --silent build
npm run --silent jsii

echo 'jsii: API.md is up to date'
# It can be written to a relative path only.
npx --no-install jsii-docgen --output dist/API.md
diff API.md dist/API.md || { echo 'jsii: npm run api writes API.md' >&2; exit 1; }

echo 'jsii: the packages for Python and Java'
# What `npm pack` would run before has just been run.
npm_config_ignore_scripts=true npx --no-install jsii-pacmak --code-only --targets python java --outdir "$scratch/packages"
grep --quiet 'public class EcsAmiDeploy extends' \
  "$scratch/packages/java/src/main/java/io/github/ecsamideploy/EcsAmiDeploy.java"

python3 -m venv "$scratch/venv"
pip() { "$scratch/venv/bin/pip" "$1" --quiet --disable-pip-version-check "${@:2}"; }
pip install --no-compile --only-binary :all: --require-hashes --requirement .ci/requirements-jsii.txt
pip install --no-compile --no-deps --no-build-isolation "$scratch/packages/python"

echo 'jsii: a Python app'
CDK_OUTDIR=$scratch/cdk.out "$scratch/venv/bin/python" examples/python/app.py
template=$scratch/cdk.out/Platform.template.json
for wanted in '"MAX_SURGE": "50%"' '"BAKE_SECONDS": "300"' '"DRIFT": "image,age"' '"nodejs24.x"'; do
  grep --quiet "$wanted" "$template" || { echo "jsii: the template lacks $wanted" >&2; exit 1; }
done
# The cluster's network brings an asset of its own.
for asset in "$scratch"/cdk.out/asset.*/; do ! diff --recursive --brief "$asset" dist/lambda || bundle=$asset; done >/dev/null
[[ -n ${bundle:-} ]]
