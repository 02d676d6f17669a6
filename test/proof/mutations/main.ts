import { parseArgs } from 'node:util';
import { runMutations } from './run.ts';
import { STAGES, type StageName } from './stages.ts';
import { mutationTable, neverFirst, progressOf } from './table.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    stage: { type: 'string', multiple: true },
    workers: { type: 'string', default: '2' },
  },
});
const isStage = (name: string): name is StageName => STAGES.some((stage) => stage.name === name);

let isFit = true;
const results = await runMutations({
  only: values.only,
  stages: values.stage?.filter(isStage),
  workers: Number(values.workers),
  onProgress: (result, done, all) => void process.stderr.write(`${progressOf(result, done, all)}\n`),
  onUnfit: ({ file, name, message }) => {
    process.stderr.write(`${file} › ${name} fails though no rule is broken: ${message}\n`);
    isFit = false;
  },
});
process.stdout.write(`${mutationTable(results)}\n`);
const idle = neverFirst(results).map((file) => `- ${file}\n`);
process.stdout.write(`\nNever the first to tell:\n\n${idle.join('')}`);
if (!isFit || results.some(({ caughtBy }) => caughtBy === undefined)) process.exitCode = 1;
