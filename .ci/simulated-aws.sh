#!/usr/bin/env bash
# Packs the simulated AWS as the package that it is, installs it into an empty project, and runs its example and its command there.
# Needs `npm ci` to have been run.
set -euo pipefail
cd "$(dirname "$0")/.."

project=$PWD
scratch=$(mktemp -d)
server=
stop() {
  [[ -z $server ]] || kill "$server" 2>/dev/null || true
  rm -rf "$scratch"
}
trap stop EXIT

cp -r test/simulated-aws "$scratch/package"
cd "$scratch/package"
ln -s "$project/node_modules" node_modules
npm pack --silent --pack-destination "$scratch" >/dev/null

mkdir "$scratch/app"
cd "$scratch/app"
cat >package.json <<'JSON'
{ "name": "app", "private": true, "type": "module" }
JSON
npm install --silent --no-audit --no-fund "$scratch"/simulated-aws-ecs-*.tgz
# The AGPL's simulation of IAM comes with nothing.
[[ ! -e node_modules/@cloud-copilot ]]

for example in terminate own-invariant; do
  sed "s#'../index.ts'#'simulated-aws-ecs'#" "$scratch/package/examples/$example.ts" >$example.ts
done
"$project/node_modules/.bin/tsc" --strict --target es2023 --lib es2023,esnext.disposable --module nodenext \
  --types node --typeRoots "$project/node_modules/@types" terminate.ts own-invariant.ts
# Not by pipes: `grep --quiet` ends at its first match, and whoever still writes fails.
node terminate.js >printed
grep --quiet '2\. i-00000000000000001 was terminated under service:web' printed

node_modules/.bin/simulated-aws-ecs --instances 2 >served 2>&1 &
server=$!
for _ in $(seq 300); do
  if grep --quiet '_report.txt' served; then break; fi
  sleep 0.2
done
report=$(grep --only-matching 'http://[0-9.:]*/_report.txt' served)
curl --silent --fail --output report "$report"
grep --quiet 'none of which changed anything' report
kill "$server"
wait "$server"
server=
