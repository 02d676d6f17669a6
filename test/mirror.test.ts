import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** Files without a test of their own, by room, and what tests them instead. Types and tables need none. */
const TESTED_ELSEWHERE: Readonly<Record<string, { readonly by: string; readonly files: string }>> = {
  infra: {
    by: 'the templates in test/infra/ecs-ami-deploy.test.ts and policies.test.ts, and the built package',
    files: 'arns attached-policies build context-keys environment faults functions triggers',
  },
  'infra/permissions': {
    by: 'test/infra/roles.test.ts and rolls under the synthesized role',
    files: 'autoscaling ec2 ecs lambda orders permission sequence ssm tells terminations',
  },
  lambda: {
    by: 'whole rolls in test/rollout/',
    files:
      'clock groups-to-roll handler index lambda-process look-act-loop metric-names orders-handler progress roll-in-real-time sequence-handler terminations',
  },
  'lambda/act': {
    by: 'test/act/act.test.ts, and whole rolls',
    files: 'guarded-writes perform publish-events',
  },
  'lambda/aws': {
    by: 'the tests of the files that import them, with the SDK mock',
    files: `
block-devices classic-load-balancing operations target-groups terminations traits`,
  },
  'lambda/core': {
    by: 'test/core/decide.test.ts and whole rolls',
    files: 'forward',
  },
  'lambda/core/actions': {
    by: 'the tests in test/core/actions/',
    files: 'foreseen',
  },
  'lambda/core/drain': {
    by: 'the tests in test/core/drain/ and whole rolls',
    files: 'may-drain may-end',
  },
  'lambda/core/group': {
    by: 'test/core/decide.test.ts and whole rolls',
    files: 'concerned-services has-lasted strategy',
  },
  'lambda/core/launch-spec': {
    by: 'test/core/launch-spec/restore.test.ts and whole rolls',
    files: 'named',
  },
  'lambda/core/model': {
    by: 'the tests of the rooms that import them',
    files: 'hook members settings time',
  },
  'lambda/core/sequence': {
    by: 'test/core/sequence/advance.test.ts and its properties',
    files: 'allowances halts learn line scene sequence-orders slots stage',
  },
  'lambda/sequence': {
    by: 'test/sequence/pass.test.ts',
    files: 'read-items store',
  },
  'lambda/core/placement': {
    by: 'test/core/placement/stranded.test.ts',
    files: 'cluster-query-tokens truth',
  },
  'lambda/core/reasons': {
    by: 'the golden logs and plans of whole rolls',
    files: `
      clusters draining faults group-obstacles held launch-obstacles launching obstacles preflight-obstacles
      reason-of reason steps warnings words`,
  },
  'lambda/core/replace': {
    by: 'whole rolls, one for each kind of group',
    files: 'detach-and-shrink give-back-sizes',
  },
  'lambda/core/rollback': {
    by: 'test/core/rollback/roll-back.test.ts and rolls that go wrong',
    files: 'begin-rollback',
  },
  'lambda/core/text': {
    by: 'the golden logs and plans of whole rolls',
    files: 'decision describe-untrusted',
  },
  'lambda/status': {
    by: 'test/widget-handler.test.ts and test/cli/',
    files: 'images look',
  },
  'lambda/widget': {
    by: 'test/widget/widget.test.ts',
    files: 'group-now levers',
  },
  'lambda/look': {
    by: 'whole rolls: what they read is the simulated AWS',
    files: `
      alarms belonging choose-image cluster-facts detached-lately detachments faults group-details group-facts image-by-setting
      image-catalog windows longest-leave look observe preflight recorded-image services task-definitions`,
  },
  'lambda/orders': {
    by: 'test/rollout/write-order.test.ts and test/rollout/orders.test.ts',
    files: 'order write-order',
  },
  'lambda/picture': {
    by: 'test/picture/picture.test.ts, and eyes',
    files: 'style',
  },
  'lambda/settings': {
    by: 'test/settings/parse-settings.test.ts and table.documentation.test.ts',
    files: 'parsers rules texts',
  },
  'lambda/tags': {
    by: 'test/tags/roll-tags.test.ts',
    files: 'min-size-tag previous-tags sizes-tag tag-values times unsteady-tags',
  },
};

/** Source files below a folder, as paths from the project's root. */
function sourceFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file));
}

const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const mirrored = (file: string) => file.replace(/^lambda\//, 'test/').replace(/^infra\//, 'test/infra/');
const tests = ['lambda', 'infra']
  .flatMap((folder) => sourceFiles(folder))
  .map((file) => dirname(mirrored(file)))
  .filter((folder, index, all) => all.indexOf(folder) === index && existsSync(join(ROOT, folder)))
  .flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => join(folder, name)))
  .filter((file) => file.endsWith('.test.ts'));

/** `decide.left-out.test.ts` tests `decide.ts` too. */
const subjects = new Set(tests.map((file) => file.replace(/(?:\.[\w-]+)*\.test\.ts$/, '.ts')));

/** What tests import of their own room, other than types. */
const importedByTests = new Set(
  tests.flatMap((file) =>
    [...textOf(file).matchAll(/^(?:import (?!type )|\} )[^;']*from '([^']+)'/gm)]
      .map(([, specifier = '']) => relative(ROOT, join(ROOT, dirname(file), specifier)))
      .filter((imported) => dirname(mirrored(imported)) === dirname(file)),
  ),
);

function hasCode(file: string): boolean {
  const withoutComments = textOf(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
  const withoutMethodTypes = withoutComments.replace(/^\s*(?:readonly )?[\w?]+: .*=> .*;$/gm, '');
  return /\bfunction\b|=>|\bclass\b/.test(withoutMethodTypes);
}

test('a file has a test of its own, is called by a test of its room, or is listed here', () => {
  const untested = [...sourceFiles('lambda'), ...sourceFiles('infra')].filter(
    (file) => !subjects.has(mirrored(file)) && !importedByTests.has(file) && hasCode(file),
  );
  const listed = Object.entries(TESTED_ELSEWHERE).flatMap(([room, { files }]) =>
    files
      .trim()
      .split(/\s+/)
      .map((name) => `${room}/${name}.ts`),
  );
  expect(listed.length).toBeGreaterThan(10);
  expect(
    untested.filter((file) => !listed.includes(file)),
    'to be tested, or listed',
  ).toEqual([]);
  expect(
    listed.filter((file) => !untested.includes(file)),
    'listed in vain: tested by now, or gone',
  ).toEqual([]);
});
