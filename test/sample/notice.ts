/** Tells of each run that it is but a sample. */
export default function setup(): void {
  const { SAMPLE } = process.env;
  if (SAMPLE === undefined) return;
  process.stdout.write(
    `A sample of the tests: number ${SAMPLE}. Another: SAMPLE=<number> npm test. All of them: npx vitest run\n\n`,
  );
}
