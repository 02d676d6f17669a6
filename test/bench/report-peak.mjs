// Loaded into a process, tells what it took as it ends. Not by console: that may be cut off.
import { writeSync } from 'node:fs';
import process from 'node:process';

process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  writeSync(1, `took ${maxRSS} ${userCPUTime + systemCPUTime}\n`);
});
