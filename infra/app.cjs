// Loads the app as CommonJS: what the CDK's modules export is then loaded as it is used, which tells a typo
// a third of a second sooner.
require('./installed.cjs');
if (process.exitCode === undefined) {
  require('tsx/cjs');
  require('./app.ts');
}
