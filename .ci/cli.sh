#!/usr/bin/env bash
# The AWS CLI and boto3 as clients of the simulated AWS: reads, dry runs and writes over the wire, by a careful operator and
# then by a careless one, and what the report says of both. Needs Python 3.11 or newer with venv, and `npm ci`.
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=$(mktemp -d)
server=
stop() {
  if [[ -n $server ]]; then kill "$server" && wait "$server" || true; fi
  rm -rf "$scratch"
} 2>/dev/null
trap stop EXIT

fail() {
  echo "cli: $*" >&2
  exit 1
}

python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install --quiet --disable-pip-version-check \
  --only-binary :all: --require-hashes --requirement .ci/requirements-cli.txt
export PATH="$scratch/venv/bin:$PATH"

node --import tsx test/serve/main.ts --cluster web --instances 4 --speed 40 >"$scratch/served" 2>&1 &
server=$!
for _ in {1..150}; do
  if grep --quiet '_report.txt' "$scratch/served"; then break; fi
  kill -0 "$server" 2>/dev/null || fail "the simulated AWS ended: $(cat "$scratch/served")"
  sleep 0.2
done
AWS_ENDPOINT_URL=$(grep --only-matching --max-count 1 'http://[0-9.]*:[0-9]*' "$scratch/served" | head -1)
export AWS_ENDPOINT_URL
export AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test AWS_REGION=eu-central-1 AWS_DEFAULT_REGION=eu-central-1
# Nobody's own settings or credentials take part.
export AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null AWS_PAGER=
unset AWS_PROFILE

# expect <what> <pattern> <aws command…>: what the query yields is as wanted.
expect() {
  local what=$1 wanted=$2 found
  shift 2
  found=$(aws "$@" --output text)
  [[ $found == $wanted ]] || fail "$what: wanted \"$wanted\", found \"$found\""
  echo "  $what: $found"
}

# refused <text> <aws command…>: it is, and the text tells why.
refused() {
  local why=$1 told
  shift
  if told=$(aws "$@" 2>&1); then fail "not refused: aws $*"; fi
  [[ $told == *$why* ]] || fail "aws $*: wanted \"$why\", was told \"$told\""
  echo "  refused: $why"
}

# judged <expression> <wanted>: of the report, as the variable `report`.
judged() {
  local found
  found=$(curl --silent --fail "$AWS_ENDPOINT_URL/_report" |
    node -e 'const report = JSON.parse(require("node:fs").readFileSync(0, "utf8")); console.log(String(eval(process.argv[1])));' "$1")
  [[ $found == "$2" ]] || fail "report: $1 is $found, not $2: $(curl --silent "$AWS_ENDPOINT_URL/_report.txt")"
  echo "  report: $1 is $found"
}
broken='report.broken.filter(({ count }) => count > 0).map(({ invariant }) => invariant)'

echo 'cli: reads'
expect account 123456789012 sts get-caller-identity --query Account
expect clusters 2 ecs list-clusters --query 'length(clusterArns)'
expect cluster 'ACTIVE 4' ecs describe-clusters --clusters web \
  --query 'clusters[0].join(`" "`, [status, to_string(registeredContainerInstancesCount)])'
expect 'container instances' 4 ecs list-container-instances --cluster web --query 'length(containerInstanceArns)'
expect services '100, 50' ecs describe-services --cluster web --services web worker \
  --query 'join(`", "`, services[].to_string(deploymentConfiguration.minimumHealthyPercent))'
expect tasks 3 ecs list-tasks --cluster web --service-name web --query 'length(taskArns)'
group='AutoScalingGroups[?AutoScalingGroupName == `web-ecs`] | [0]'
expect group '0/4/8 None' autoscaling describe-auto-scaling-groups \
  --query "$group.join(\`\" \"\`, [join(\`\"/\"\`, [to_string(MinSize), to_string(DesiredCapacity), to_string(MaxSize)]), LaunchTemplate.Version || \`\"None\"\`])"
image=$(aws ssm get-parameter --name /aws/service/ecs/optimized-ami/amazon-linux-2023/recommended/image_id \
  --query Parameter.Value --output text)
expect image 'al2023-ami-ecs-hvm-*-x86_64 amazon' ec2 describe-images --image-ids "$image" \
  --query 'Images[0].join(`" "`, [Name, ImageOwnerAlias])'
read -r careful careless < <(aws autoscaling describe-auto-scaling-groups --query "$group.Instances[:2].InstanceId" --output text)
expect 'launch template' 1 ec2 describe-launch-template-versions --launch-template-name web-ecs-launch-template \
  --versions '$Default' --query 'LaunchTemplateVersions[0].VersionNumber'

echo 'cli: what changes nothing'
refused DryRunOperation ec2 terminate-instances --dry-run --instance-ids "$careful"
refused 'not simulated' ec2 describe-vpcs
expect instance running ec2 describe-instances --instance-ids "$careful" --query 'Reservations[0].Instances[0].State.Name'
judged 'report.changed' false

echo 'cli: one instance replaced with care'
aws ec2 create-launch-template-version --launch-template-name web-ecs-launch-template --source-version 1 \
  --launch-template-data "{\"ImageId\":\"$image\",\"BlockDeviceMappings\":$(aws ec2 describe-launch-template-versions \
    --launch-template-name web-ecs-launch-template --versions 1 \
    --query 'LaunchTemplateVersions[0].LaunchTemplateData.BlockDeviceMappings' --output json)}" >"$scratch/version.json"
aws ec2 modify-launch-template --launch-template-name web-ecs-launch-template --default-version 2 >"$scratch/default.json"
aws autoscaling create-or-update-tags --tags \
  ResourceId=web-ecs,ResourceType=auto-scaling-group,Key=rolled-by,Value=cli,PropagateAtLaunch=false
expect tag cli autoscaling describe-tags --filters Name=auto-scaling-group,Values=web-ecs Name=key,Values=rolled-by \
  --query 'Tags[].Value'
aws ec2 create-tags --resources "$careful" --tags Key=replaced-in,Value=web-ecs
expect detached 'web-ecs' autoscaling detach-instances --auto-scaling-group-name web-ecs --instance-ids "$careful" \
  --no-should-decrement-desired-capacity --query 'Activities[0].AutoScalingGroupName'
# Its replacement registers within some seconds of the simulated AWS, and what drains is empty some seconds later.
python3 .ci/cli-waits.py registered web 5
arn=$(aws ecs list-container-instances --cluster web --filter "ec2InstanceId == $careful" --query 'containerInstanceArns[0]' --output text)
expect drained DRAINING ecs update-container-instances-state --cluster web --container-instances "$arn" \
  --status DRAINING --query 'containerInstances[0].status'
python3 .ci/cli-waits.py empty web "$arn"
expect terminated shutting-down ec2 terminate-instances --instance-ids "$careful" \
  --query 'TerminatingInstances[0].CurrentState.Name'
judged "$broken" ''
judged 'report.instancesReplaced' 1

echo 'cli: one ended without'
expect terminated shutting-down ec2 terminate-instances --instance-ids "$careless" \
  --query 'TerminatingInstances[0].CurrentState.Name'
judged "$broken" '1,2,4'

kill "$server"
if wait "$server"; then fail 'the exit status says that nothing broke'; fi
server=
grep --quiet '5. BROKEN' "$scratch/served" || fail "at the end nothing lacked: $(cat "$scratch/served")"
echo 'cli: done'
