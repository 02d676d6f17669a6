// Loaded into a process, tells its largest resident size as it ends. Not by console: that may be cut off.
import { writeSync } from 'node:fs';
import process from 'node:process';

process.on('exit', () => writeSync(1, `peak ${process.resourceUsage().maxRSS}\n`));
