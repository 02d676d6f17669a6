/** Told before a run, whose own it would otherwise take for what it made. */
export const alreadyThere = (what: string) =>
  `There is a ${what} already. If an earlier run has left it: npm run smoke -- --clean`;
