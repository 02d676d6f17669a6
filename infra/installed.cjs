// Says what to do first, in a clone in which nothing is installed yet.
try {
  require.resolve('tsx');
} catch {
  process.stderr.write('Nothing is installed here yet: npm ci\n');
  process.exitCode = 1;
}
