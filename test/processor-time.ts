import process from 'node:process';

/** Milliseconds that this process has computed since then: what else the machine does doesn't count. */
export function processorTime(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}
