import { expect, test } from 'vitest';
import { escaped, legible } from '../cli/text.ts';
import { explain } from '../lambda/aws/errors.ts';
import { faultOf } from '../lambda/aws/faults.ts';
import { GROUP_TAGS, INSTANCE_TAGS, partKeys, TAG_PARTS } from '../lambda/contract.ts';
import { recommendedParameter } from '../lambda/core/launch-spec/image-family.ts';
import { unlaunchable } from '../lambda/core/launch-spec/image-fit.ts';
import { parseQuery } from '../lambda/core/placement/cluster-query.ts';
import { matches } from '../lambda/core/placement/cluster-query-match.ts';
import { fits, requirementsOf } from '../lambda/core/placement/constraints.ts';
import { chatNotification, type Untold } from '../lambda/core/text/events.ts';
import { EventError, parseEvent } from '../lambda/event.ts';
import { pastRolls } from '../lambda/history/past-rolls.ts';
import { pastTerminations } from '../lambda/history/past-terminations.ts';
import { html } from '../lambda/picture/markup.ts';
import { windows } from '../lambda/settings/parse-windows.ts';
import { drift, groups, image, maxSurge } from '../lambda/settings/parsers.ts';
import { readMark } from '../lambda/tags/instance-tags.ts';
import { readRejection, readRoll } from '../lambda/tags/roll-tags.ts';
import { sentenceIn } from '../lambda/tags/tag-values.ts';
import { TARGET } from './core/builders.ts';
import { processorTime } from './processor-time.ts';

/**
 * Each text that a stranger can write, by who reads it, and how long AWS lets it be: whoever writes it
 * mustn't keep the function from everything else.
 */

const NOW = new Date('2026-11-21T00:00:00Z');
const ARN = 'arn:aws:lambda:eu-central-1:123456789012:function:ecs-ami-deploy';
const GROUP_KEYS = [
  ...Object.values(GROUP_TAGS),
  ...partKeys(GROUP_TAGS.previous, TAG_PARTS.previous),
  ...partKeys(GROUP_TAGS.unsteady, TAG_PARTS.unsteady),
].filter((key) => key !== GROUP_TAGS.cluster);

interface Reader {
  readonly most: number;
  readonly read: (text: string) => unknown;
}

const READERS: Readonly<Record<string, Reader>> = {
  'a placement constraint': { most: 2000, read: asked },
  'a longer one, should ECS take it': { most: 200_000, read: asked },
  'the pattern of a constraint': {
    most: 1960,
    read: (text) => asked(`attribute:ecs.ami-id =~ ${text}`) ?? asked(`attribute:ecs.ami-id =~ "${text}"`),
  },
  'the pattern of a constraint, repeated': {
    most: 1960,
    read: (text) => asked(`attribute:ecs.ami-id =~ ${'.*a.'.repeat(text.length / 4)}`),
  },
  "an image's name": { most: 128, read: recommendedParameter },
  "an image's instance types": {
    most: 1000,
    read: (text) =>
      unlaunchable(
        {
          ...TARGET,
          typeSpecification: { supported: [`*${text}`, text.replaceAll(/./gs, '*a')], unsupported: [] },
        },
        { names: ['a'.repeat(60)], known: new Map() },
      ),
  },
  "a group's tags": {
    most: 256,
    read: (text) => {
      const tags = Object.fromEntries(GROUP_KEYS.map((key) => [key, text]));
      readRejection(tags);
      return readRoll({ ...tags, [GROUP_TAGS.cluster]: 'demo' }, 'demo', NOW);
    },
  },
  "an instance's tags": {
    most: 256,
    read: (text) => readMark(Object.fromEntries(Object.values(INSTANCE_TAGS).map((key) => [key, text])), NOW),
  },
  'tags that set settings': {
    most: 256,
    read: (text) => [drift, groups, image, maxSurge, windows].map((parser) => parser.read(text)),
  },
  'a notification': {
    most: 250_000,
    read: (text) =>
      parseEvent(
        {
          Records: [
            {
              EventSource: 'aws:sns',
              Sns: { TopicArn: 'arn:aws:sns:eu-central-1:123456789012:images', Message: text },
            },
          ],
        },
        ['demo'],
        ARN,
      ),
  },
  'a direct invocation': {
    most: 250_000,
    read: (text) => parseEvent({ action: text, clusters: [text] }, ['demo'], ARN),
  },
  "a hook's reason": { most: 250_000, read: sentenceIn },
  'an answer of AWS that repeats a name': {
    most: 20_000,
    read: (text) => {
      const error = Object.assign(
        new Error(`User: ${text} is not authorized to perform: ${text} because no`),
        {
          name: 'AccessDenied',
        },
      );
      return [explain(error), faultOf(error)];
    },
  },
  'a reason in an event': {
    most: 8000,
    read: (text) => chatNotification(eventWith(text)),
  },
  'a name on a page, and in a terminal': {
    most: 250_000,
    read: (text) => [html`<b>${text}</b>`, escaped(text), legible(text, { color: true })],
  },
  'a line of the history': {
    most: 250_000,
    read: (text) => {
      const lines = [text, JSON.stringify({ detail: text })].map((message) => ({ message, ingestedAt: 0 }));
      return [pastRolls(lines), pastTerminations(lines)];
    },
  },
};

test('the longest constraints, as many as a service and its tasks may have, on a thousand instances', () => {
  const pattern = 'attribute:a =~ .*a.*a.*a.*a.*b or ';
  const expressions = Array.from({ length: 20 }, () => `${pattern.repeat(55)}attribute:b exists`);
  const attributes = new Map([['a', 'a'.repeat(128)]]);
  const place = { instanceId: 'i-1', attributes, guessed: new Set<string>(), resources: {} };
  const spent = processorTime();
  const requirements = requirementsOf({ expressions, capacityProviders: [], distinctInstance: false });
  for (let count = 0; count < 1000; count++) fits(place, requirements);
  expect(spent()).toBeLessThan(5000);
});

function asked(text: string): unknown {
  const query = parseQuery(text);
  const attributes = new Map([['ecs.ami-id', 'a'.repeat(128)]]);
  return query && matches(query, { instanceId: 'i-1', attributes, guessed: new Set(), resources: {} });
}

function eventWith(text: string): Untold {
  return {
    version: '1',
    id: text,
    kind: 'blocked',
    at: NOW.toISOString(),
    cluster: text,
    group: text,
    images: { from: [text], to: [text] },
    code: text,
    reason: text,
    counts: { outdated: 0, detached: 0, replaced: 0, total: 0 },
    instances: [],
    instancesLeftOut: 0,
  };
}

const SHAPES = [
  ' ',
  '(',
  ')',
  '!',
  'a',
  '0',
  '.',
  '1.',
  'a.',
  '*',
  ':',
  '_',
  '<',
  '"',
  "'",
  '[',
  ',',
  '\n',
  '-',
  'ami-',
  '=',
  '/',
  '%',
  '\u200f',
  '😀',
  'not ',
  '\\',
];
/** A text that nearly is what is read. */
const ENDS = ['', '!', ' ('];

test.each(Object.entries(READERS))('%s is read in no time, whatever it says', (_, { most, read }) => {
  for (const shape of SHAPES) {
    for (const end of ENDS) {
      const text = shape.repeat(Math.floor((most - end.length) / shape.length)) + end;
      const millisSince = processorTime();
      try {
        read(text);
      } catch (error) {
        if (!(error instanceof EventError)) throw error;
      }
      expect(millisSince(), `${JSON.stringify(shape)}, ending in "${end}"`).toBeLessThan(5000);
    }
  }
});
