#!/usr/bin/env bash
# Draws the picture of a roll in headless Chromium, on a phone's width and wider, and measures what comes of it.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v chromium >/dev/null; then
  apt-get update
  apt-get install -y --no-install-recommends chromium
fi
CHROMIUM=$(command -v chromium) npx --no-install vitest run test/picture/picture.browser
