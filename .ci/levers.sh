#!/usr/bin/env bash
# Every command of the command line, against the demo that a person plays with. Needs a build (`npm run build`).
set -euo pipefail
cd "$(dirname "$0")/.."

shown=$(mktemp)
node --import tsx test/demo/main.ts --no-build --interactive --speed 20 >"$shown" 2>&1 &
demo=$!
trap 'tail -3 "$shown"; kill "$demo" 2>/dev/null || true; rm "$shown"' EXIT
until line=$(grep --only-matching -- '--region .* pause' "$shown"); do
  kill -0 "$demo"
  sleep 0.2
done

# lever <text> <status> <command…>: it says so, and ends with this status, or one of `0|2`.
lever() {
  local wanted=$1 status=$2 told found=0
  shift 2
  # shellcheck disable=SC2086 # The line as a person would paste it.
  told=$(npx --no-install ecs-ami-deploy ${line% pause} "$@" 2>&1) || found=$?
  echo "$* ($found): $told"
  [[ $found =~ ^($status)$ && $told == *"$wanted"* ]]
}

soon() {
  for _ in {1..30}; do
    if lever "$@"; then return; fi
    sleep 1
  done
  return 1
}

# What the demo itself shows, in time.
seen() {
  for _ in {1..120}; do
    if grep --quiet -- "$1" "$shown"; then return; fi
    sleep 1
  done
  return 1
}

# Paused, the roll isn't over before its turn comes, however slow the machine.
lever 'pauses the group' 0 pause --yes
soon 'paused since' 2 status
lever 'al2023-ami-ecs' 0 latest-ami
lever 'yes' 0 list-clusters
lever 'until a pause ends' 2 plan
lever 'lets the group go on' 0 resume --yes
lever 'noted' 0 rollback --yes
# On a slow machine the roll is over by then, and the next one announced.
lever 'rolled back (somebody asked for it)' '0|2' continue --yes
lever 'what there is to roll' 0 roll --force --yes --no-wait
soon 'in-progress' 2 status
# Time runs twenty times as fast: the roll may have ended by it before the answer.
lever 'noted' 0 abort --yes
lever '' '0|2' continue --yes
soon 'aborted' 0 history
# The newer image that comes after each end is announced, and asks after its trial. A look stops the world's time meanwhile.
seen 'is planned: will roll onto'
# The line may be of the release before: one that isn't announced yet is skipped once it is.
soon 'noted' 0 skip --yes
lever '' '0|2' continue --yes
lever 'nothing-to-do' 1 refuse demo-ecs 00c0ffee --yes
lever 'what there is to roll' 0 roll --yes --no-wait
seen 'approve demo-ecs'
lever 'noted' 0 approve demo-ecs "$(grep --only-matching 'approve demo-ecs [0-9a-f]*' "$shown" | tail -1 | cut -d' ' -f3)" --yes
lever 'detach i-' 0 logs

# It says whether anything broke.
kill "$demo"
wait "$demo"
