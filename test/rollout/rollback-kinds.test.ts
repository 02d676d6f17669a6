import { test } from 'vitest';
import { nameOf, rollbackKinds } from './rollback-kinds.ts';
import { expectEnding, expectNotTriedAgain, expectTriedAgain, playOut } from './rollback-play.ts';

const ROWS = rollbackKinds(process.env.ROLLBACK_KINDS === 'all');

test.each(ROWS.map((row, index) => ({ name: nameOf(row), row, index })))('$name', async ({ row, index }) => {
  const played = await playOut(row);
  expectEnding(played);
  await expectNotTriedAgain(played);
  await expectTriedAgain(played, index % 2 === 0 ? 'force' : 'release');
});
