#!/usr/bin/env node
/**
 * The simulated AWS alone, until it is killed: for the AWS CLI, for a function in an emulator, or for
 * anybody's roller, which it judges.
 *
 *     npx tsx serve/main.ts --port 4570 --cluster web
 *     AWS_ENDPOINT_URL=http://127.0.0.1:4570 aws --no-sign-request --region eu-central-1 \
 *       ecs list-container-instances --cluster web
 *     curl http://127.0.0.1:4570/_report.txt
 */
import { runServe } from './run.ts';

await runServe();
