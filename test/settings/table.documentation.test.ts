import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { CONTEXT, DEPLOYMENT } from '../../infra/context-keys.ts';
import { ALARM_AGES } from '../../infra/monitoring.ts';
import { SETTING_PROPS } from '../../infra/setting-props.ts';
import type { Settings } from '../../lambda/core/model/settings.ts';
import { parseSettings } from '../../lambda/settings/parse-settings.ts';
import {
  GROUP_TABLE,
  type GroupSetting,
  keysOf,
  nameInTags,
  ROLLOUT_TABLE,
  type RolloutSetting,
  type Setting,
  TABLE,
} from '../../lambda/settings/table.ts';
import { docstring, endOf, inCode, rowOf } from './rendered.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const PAGE = read('docs/settings.md');
const ROLLOUT_SETTINGS = keysOf(ROLLOUT_TABLE);

/** Rows of the Markdown table that follows a line with these words. */
function tableAfter(words: string): string[] {
  const [, after = ''] = PAGE.split(words);
  const [table = ''] = /(?:^\|.*\n)+/m.exec(after) ?? [];
  return table.trimEnd().split('\n').slice(2);
}

const ROWS = tableAfter('## The function');

/** What docs/settings.md says that a setting may be. */
function textOf(setting: RolloutSetting): string {
  const [text = ''] = ROWS[ROLLOUT_SETTINGS.indexOf(setting)]?.split(' | ').slice(2) ?? [];
  return text.replace(/ \|$/, '');
}

/** Their props take a type of the CDK or a class, and so can't be said in the words of the variable. */
const SAID_OTHERWISE: readonly RolloutSetting[] = [
  'clusters',
  'groups',
  'onTrialPassed',
  'beforeBatch',
  'hookTimeoutMinutes',
  'announceMinutes',
  'windows',
  'image',
  'imageOwner',
  'minImageAgeDays',
  'alarmNames',
  'tagImages',
];

const rangeIn = (text: string) => /[\d.%]+ to [\d.]*\d%?/.exec(text)?.[0];

interface Prop {
  readonly docstring: string;
  readonly name: string;
  readonly isOptional: boolean;
  readonly type: string;
}

/** The props of an interface as its file has them, each docstring in one line. */
function propsIn(file: string): Prop[] {
  const props = read(file).matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s+readonly (\w+)(\??): ([^;]+);/g);
  return [...props].map(([, comment = '', name = '', mark = '', type = '']) => ({
    docstring: comment.replaceAll(/\s*\n\s*\*?\s*/g, ' ').trim(),
    name,
    isOptional: mark === '?',
    type,
  }));
}

const propOf = (setting: RolloutSetting) => SETTING_PROPS[setting].prop;
const PROPS = propsIn('infra/rollout-settings.ts').filter(({ name }) => name !== 'cluster');

/** What a prop's type is like, by the kind of its parser. */
const TYPES = {
  text: /^[A-Z]\w+$/,
  number: /^(number|Duration)$/,
  boolean: /^boolean$/,
  list: /\[\]$/,
} as const;

describe('a setting', () => {
  test('is in the type, the table and the props alike', () => {
    expectTypeOf<Setting>().toEqualTypeOf<keyof Settings>();
    expectTypeOf<RolloutSetting>().toEqualTypeOf<keyof typeof SETTING_PROPS>();
    expectTypeOf<GroupSetting>().toExtend<keyof Settings>();
    expect(PROPS.map(({ name }) => name).sort()).toEqual(ROLLOUT_SETTINGS.map(propOf).sort());
  });

  test.each(keysOf(TABLE))('has a variable that is its name, as people search for it: %s', (setting) => {
    const inCapitals = setting.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
    expect(TABLE[setting].variable).toBe(inCapitals);
  });

  test.each(keysOf(TABLE).filter((setting) => TABLE[setting].default !== undefined))(
    'has a default that its parser reads: %s',
    (setting) => {
      expect(parseSettings({ CLUSTERS: 'web' })[setting]).toBeDefined();
    },
  );

  test.each(PROPS)('has a prop that says what its row in docs/settings.md says: $name', (prop) => {
    const setting = ROLLOUT_SETTINGS.find((each) => propOf(each) === prop.name) ?? 'clusters';
    const { may } = ROLLOUT_TABLE[setting].parser;
    const same = docstring(setting, prop.type, textOf(setting));
    if (SAID_OTHERWISE.includes(setting)) expect(prop.docstring).not.toBe(same);
    else expect(prop.docstring).toBe(same);
    expect(prop.docstring.endsWith(endOf(setting, prop.type))).toBe(true);
    expect([undefined, rangeIn(may)]).toContain(rangeIn(prop.docstring));
    expect(prop.type).toMatch(TYPES[ROLLOUT_TABLE[setting].parser.kind]);
    expect(prop.isOptional).toBe(setting !== 'clusters');
  });

  test.each(ROLLOUT_SETTINGS)("has its parser's range and words in its text: %s", (setting) => {
    const { may } = ROLLOUT_TABLE[setting].parser;
    const range = rangeIn(may);
    const words = /^\w+ or \w+$/.test(may) && may !== 'true or false' ? may.split(' or ') : [];
    for (const said of [...(range === undefined ? [] : [range]), ...words.map((word) => `\`${word}\``)])
      expect(textOf(setting)).toContain(said);
  });
});

describe('docs/settings.md', () => {
  test('has a row for each setting of the function, in the order of the table, with its spellings', () => {
    const typeOf = (setting: RolloutSetting) =>
      PROPS.find(({ name }) => name === propOf(setting))?.type ?? '';
    expect(ROWS).toEqual(
      ROLLOUT_SETTINGS.map((setting) => `${rowOf(setting, typeOf(setting))}${textOf(setting)} |`),
    );
    expect(ROLLOUT_SETTINGS.map(textOf)).not.toContain('');
  });

  test('has each other key of the context, with its default', () => {
    const rows = tableAfter('The deployment has settings of its own:');
    const named = rows.flatMap(
      (row) =>
        row
          .split(' | ')[0]
          ?.slice(2)
          .match(/`-c \w+`<br>`[^`]+`/g) ?? [],
    );
    const own = propsIn('infra/props.ts');
    const others = Object.entries(DEPLOYMENT).map(([key, { prop }]) =>
      inCode(key, prop, own.find(({ name }) => name === prop)?.type ?? ''),
    );
    expect(named.sort()).toEqual(others.sort());
    expect(Object.keys({ ...ROLLOUT_TABLE, ...DEPLOYMENT }).sort()).toEqual(Object.keys(CONTEXT).sort());
    const { heldBackAfter, imageAgeAlarmAfter, rolloutAlarmAfter } = ALARM_AGES;
    for (const [key, otherwise] of [
      ['heldBackDays', heldBackAfter.otherwise.toDays()],
      ['imageAgeAlarmDays', imageAgeAlarmAfter.otherwise.toDays()],
      ['rolloutAlarmAfterHours', rolloutAlarmAfter.otherwise.toHours()],
    ])
      expect(rows.join('\n')).toMatch(new RegExp(`\`-c ${key}\`<br>[^|]* \\| ${otherwise} \\|`));
  });

  test('has what a tag may make gentler, and nothing else', () => {
    const [, after = ''] = PAGE.split('**Whoever');
    const [bullets = ''] = /(?:^[- ].*\n)+/m.exec(after.slice(after.indexOf('\n- '))) ?? [];
    const tags = keysOf(GROUP_TABLE).map((setting) => nameInTags(GROUP_TABLE[setting]));
    const gentle = keysOf(GROUP_TABLE).filter((setting) => typeof GROUP_TABLE[setting].tag !== 'string');
    const named = tags.filter((name) => bullets.includes(`\`${name}\``));
    expect(named).toEqual(gentle.map((setting) => nameInTags(GROUP_TABLE[setting])));
  });
});

test("the deployment's own props say their ranges and defaults", () => {
  const docstringOf = (name: string) =>
    propsIn('infra/props.ts').find((prop) => prop.name === name)?.docstring;
  const [generations] = /from \d+ to \d+/.exec(TABLE.stateKeyGeneration.parser.may) ?? [];
  expect(docstringOf('stateKeyGeneration')).toContain(generations ?? 'a range');
  expect(docstringOf('stateKeyGeneration')).toContain(`@default ${TABLE.stateKeyGeneration.default}`);
  const { heldBackAfter, imageAgeAlarmAfter, rolloutAlarmAfter } = ALARM_AGES;
  for (const [name, range, otherwise] of [
    ['heldBackAfter', daysIn(heldBackAfter), `days(${heldBackAfter.otherwise.toDays()})`],
    ['imageAgeAlarmAfter', daysIn(imageAgeAlarmAfter), `days(${imageAgeAlarmAfter.otherwise.toDays()})`],
    ['rolloutAlarmAfter', 'from 15 minutes to 365 days', `hours(${rolloutAlarmAfter.otherwise.toHours()})`],
  ] as const) {
    expect(docstringOf(name)).toContain(range);
    expect(docstringOf(name)).toContain(`@default Duration.${otherwise}`);
  }
  const { least, most } = rolloutAlarmAfter;
  expect([least.toHumanString(), most.toHumanString()]).toEqual(['15 minutes', '365 days']);
});

function daysIn({ least, most }: (typeof ALARM_AGES)[keyof typeof ALARM_AGES]): string {
  return `from ${least.toDays()} to ${most.toDays()} days`;
}

/** What only an app of one's own can bring along: constructs with a life of their own. */
const NOT_IN_CONTEXT = [
  ...['code', 'role', 'ordersRole', 'failureQueue'],
  ...['vpc', 'vpcSubnets', 'securityGroups'],
];

test('the context has a key for each prop but what an app brings along', () => {
  const names = propsIn('infra/props.ts').map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(NOT_IN_CONTEXT));
  const inContext = Object.values(DEPLOYMENT).map(({ prop }) => prop);
  expect([...inContext, ...NOT_IN_CONTEXT].sort()).toEqual([...names].sort());
});
