#!/usr/bin/env bash
# Whether RELIABILITY.md is of the product as it stands. Fails if it isn't.
set -euo pipefail
cd "$(dirname "$0")/.."

now=$(git rev-parse --short=12 HEAD:lambda)
proved=$(sed --quiet --regexp-extended 's/.* is tree `([0-9a-f]+)` of `lambda\/`.*/\1/p' RELIABILITY.md)
if [[ $proved != "$now" ]]; then
  echo "RELIABILITY.md is of tree ${proved:-unknown} of lambda/, which is $now now: npm run prove"
  exit 1
fi
