#!/usr/bin/env node
// What `npx ecs-ami-deploy` runs. It is committed: npx remembers of a clone without it that there is no such command.
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const built = join(__dirname, '..', 'dist', 'cli', 'ecs-ami-deploy.cjs');
if (existsSync(built)) require(built);
else {
  process.stderr.write('The command line is not built here yet: npm ci && npm run build\n');
  process.exitCode = 1;
}
