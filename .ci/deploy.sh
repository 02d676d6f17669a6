#!/usr/bin/env bash
# Deploys the stack for real, into MiniStack: bootstrap, deploy, deploy again with another schedule, look at what is
# there, invoke the function; then the same by CloudFormation alone, and the smoke test's own stack, with their removal. Needs Python 3.11 or newer with venv, npm,
# and a build (`npm run build`).
#
# SIMULATED_AWS_ENDPOINT: address of a running simulated AWS with a cluster `web` that needs a roll.
# Without it the function calls MiniStack itself, which knows no such cluster, and the plan's content isn't looked at.
#
# MiniStack ignores reserved concurrency and a subscription's Region (that to the topic of another Region is accepted and
# then nowhere to be found), and enforces no policy: the tests of the template see to these.
set -euo pipefail
cd "$(dirname "$0")/.."

account=123456789012
region=eu-west-1
port=${MINISTACK_PORT:-4599}

scratch=$(mktemp -d)
ministack_pid=
stop() {
  if [[ -n $ministack_pid ]]; then kill "$ministack_pid" && wait "$ministack_pid" || true; fi
  rm -rf "$scratch"
} 2>/dev/null
trap stop EXIT

fail() {
  echo "deploy: $*" >&2
  exit 1
}

echo 'deploy: install MiniStack, the AWS CLI and Node 24, which the function runs on'
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install --quiet --disable-pip-version-check \
  --only-binary :all: --require-hashes --requirement .ci/requirements-deploy.txt
cp -r .ci/node "$scratch/node"
npm ci --silent --prefix "$scratch/node"
export PATH="$scratch/node/node_modules/.bin:$scratch/venv/bin:$PATH"
[[ $(node --version) == v24.* ]] || fail "Node 24 isn't in the path but $(node --version)"

export GATEWAY_PORT=$port MINISTACK_ACCOUNT_ID=$account MINISTACK_REGION=$region
export AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test AWS_REGION=$region AWS_DEFAULT_REGION=$region
export AWS_ENDPOINT_URL="http://localhost:$port"
# Nobody's own settings or credentials take part.
export AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null AWS_PAGER=
unset AWS_PROFILE

ministack >"$scratch/ministack.log" 2>&1 &
ministack_pid=$!
for _ in {1..150}; do
  if curl --silent --fail "$AWS_ENDPOINT_URL/_ministack/health" >/dev/null; then break; fi
  kill -0 "$ministack_pid" 2>/dev/null || fail "MiniStack ended: $(tail -5 "$scratch/ministack.log")"
  sleep 0.2
done

own_topic=$(aws sns create-topic --name images --query TopicArn --output text)
foreign_topic=$(aws sns create-topic --name images --region us-east-1 --query TopicArn --output text)

cdk() {
  npx --no-install cdk "$@" \
    --app 'npx tsx test/infra/ministack-app.ts' --output "$scratch/cdk.out" --ci \
    --context clusters=web --context "topicArns=$own_topic,$foreign_topic" >"$scratch/cdk.log" 2>&1 ||
    { cat "$scratch/cdk.log" >&2; fail "cdk $1 failed"; }
}

echo 'deploy: bootstrap, deploy, update'
cdk bootstrap "aws://$account/$region"
cdk deploy --require-approval never --context 'schedule=rate(1 day)'
cdk deploy --require-approval never --context 'schedule=rate(12 hours)'

# expect <what> <wanted> <aws command…>: what the query yields is as wanted.
expect() {
  local what=$1 wanted=$2 found
  shift 2
  found=$(aws "$@" --output text)
  [[ $found == "$wanted" ]] || fail "$what: wanted \"$wanted\", found \"$found\""
  echo "  $what: $found"
}

# output <key>: as the stack prints it.
output() {
  aws cloudformation describe-stacks --stack-name EcsAmiDeploy \
    --query "Stacks[0].Outputs[?OutputKey == '$1'].OutputValue" --output text
}
function=$(output FunctionName)
orders=$(output OrdersFunctionName)
expect stack UPDATE_COMPLETE \
  cloudformation describe-stacks --stack-name EcsAmiDeploy --query 'Stacks[0].StackStatus'
expect 'function' 'nodejs24.x, arm64, web' \
  lambda get-function-configuration --function-name "$function" \
  --query "join(', ', [Runtime, Architectures[0], Environment.Variables.CLUSTERS])"
expect 'function for orders' 'nodejs24.x, index.orders, web' \
  lambda get-function-configuration --function-name "$orders" \
  --query "join(', ', [Runtime, Handler, Environment.Variables.CLUSTERS])"
expect 'rules, as updated' 'rate(12 hours), rate(5 minutes)' \
  events list-rules --query "join(', ', sort(Rules[].ScheduleExpression))"
expect 'alarms' 'ApproximateNumberOfMessagesVisible, BlockedGroups, DestinationDeliveryFailures, DestinationDeliveryFailures, Errors, HeldBackDays, ImageAgeDays, RequestsByTag, RollAgeSeconds, UntrustedTags' \
  cloudwatch describe-alarms --query "join(', ', sort(MetricAlarms[].MetricName))"
expect 'retention in days, of the history and the log' '3653, 90' \
  logs describe-log-groups \
  --query "join(', ', sort(logGroups[?contains(logGroupName, 'EcsAmiDeploy')].to_string(retentionInDays)))"
expect 'asynchronous events' '1200, 0' \
  lambda get-function-event-invoke-config --function-name "$function" --qualifier '$LATEST' \
  --query "join(', ', [to_string(MaximumEventAgeInSeconds), to_string(MaximumRetryAttempts)])"
expect 'orders, asynchronously' '60, 0' \
  lambda get-function-event-invoke-config --function-name "$orders" --qualifier '$LATEST' \
  --query "join(', ', [to_string(MaximumEventAgeInSeconds), to_string(MaximumRetryAttempts)])"
expect 'key of the seals' 'HMAC_256, GENERATE_VERIFY_MAC, Enabled' \
  kms describe-key --key-id "$(output StateKeyArn)" \
  --query "join(', ', KeyMetadata.[KeySpec, KeyUsage, KeyState])"
expect 'it makes a MAC by' HMAC_SHA_256 \
  kms generate-mac --key-id "$(output StateKeyArn)" --mac-algorithm HMAC_SHA_256 --message YQ== --query MacAlgorithm
expect 'subscription to the topic of this Region' "arn:aws:lambda:$region:$account:function:$function:scheduled" \
  sns list-subscriptions-by-topic --topic-arn "$own_topic" --query 'Subscriptions[].Endpoint'
expect 'subscriptions in the stack' 2 \
  cloudformation describe-stack-resources --stack-name EcsAmiDeploy \
  --query "length(StackResources[?ResourceType == 'AWS::SNS::Subscription'])"

# invoke <function> <event> <state>: of some group the answer says so, where there is a cluster to be asked about.
invoke() {
  aws lambda invoke --function-name "$1" --payload "$2" "$scratch/result.json" >"$scratch/invocation.json"
  if [[ -z ${SIMULATED_AWS_ENDPOINT:-} ]]; then
    # It ran, and got as far as asking for a cluster that isn't there.
    grep -q '\bweb\b' "$scratch/result.json" || fail "the function answered $(cat "$scratch/result.json")"
  else
    node -e '
      const { groups = [] } = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
      process.exit(groups.some(({ state }) => state === process.argv[2]) ? 0 : 1);
    ' "$scratch/result.json" "$3" || fail "the function answered $(cat "$scratch/result.json")"
  fi
  echo "  $2: $(head -c 300 "$scratch/result.json")"
}

echo 'deploy: invoke the deployed functions'
invoke "$function" '{ "action": "plan" }' planned
invoke "$orders" '{ "action": "pause" }' noted
invoke "$orders" '{ "action": "resume" }' noted

echo 'deploy: by CloudFormation alone, as the README has it'
aws s3api create-bucket --bucket code --create-bucket-configuration "LocationConstraint=$region" >"$scratch/bucket.json"
# by_template <context…>: deploys what `ecs-ami-deploy template` writes.
by_template() {
  npx --no-install ecs-ami-deploy template "$@" >"$scratch/template.log" 2>&1 || { cat "$scratch/template.log" >&2; fail 'no template'; }
  aws cloudformation package --template-file ecs-ami-deploy-template/template.json --s3-bucket code --use-json \
    --output-template-file ecs-ami-deploy-template/packaged.json >"$scratch/package.log"
  aws cloudformation deploy --template-file ecs-ami-deploy-template/packaged.json --s3-bucket code \
    --stack-name by-template --capabilities CAPABILITY_IAM
}
alone() {
  aws cloudformation describe-stacks --stack-name by-template \
    --query "Stacks[0].Outputs[?OutputKey == 'FunctionName'].OutputValue" --output text
}
by_template -c clusters=web
# It calls MiniStack itself.
SIMULATED_AWS_ENDPOINT='' invoke "$(alone)" '{ "action": "plan" }' planned
by_template -c clusters=web -c mode=plan
expect 'its mode, as updated' plan lambda get-function-configuration --function-name "$(alone)" \
  --query Environment.Variables.MODE
aws cloudformation delete-stack --stack-name by-template
aws cloudformation wait stack-delete-complete --stack-name by-template
python3 -c 'import hcl2; assert hcl2.load(open("examples/terraform/main.tf"))["resource"]'

# The rest of it would need instances that boot.
echo 'deploy: the stack of the smoke test, and its removal'
npm run --silent smoke -- --yes --only stack >"$scratch/smoke.log" 2>&1 ||
  { cat "$scratch/smoke.log" >&2; fail 'the smoke test failed'; }
grep --quiet 'removed: stack EcsAmiDeploySmoke' "$scratch/smoke.log" ||
  fail "the smoke test told: $(cat "$scratch/smoke.log")"
npm run --silent smoke -- --clean --only stack | grep --quiet 'Nothing of it is left' ||
  fail 'something of the smoke test is left'
echo 'deploy: done'
