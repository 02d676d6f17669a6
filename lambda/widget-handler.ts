import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { explain } from './aws/errors.ts';
import { type History, readHistory } from './aws/history.ts';
import { systemClock } from './clock.ts';
import { BESIDE_ENVIRONMENT, MEMBERSHIP_ENVIRONMENT } from './contract.ts';
import { pastRolls } from './history/past-rolls.ts';
import { pastTerminations } from './history/past-terminations.ts';
import { parseSettings } from './settings/parse-settings.ts';
import { type GroupStatus, withImages } from './status/images.ts';
import { lookBeside } from './status/look.ts';
import { widgetOf } from './widget/widget.ts';

/** What CloudWatch asks with. The rest of it, such as who looks, is of no concern. */
const EVENT = z.object({
  describe: z.optional(z.unknown()),
  widgetContext: z.optional(z.object({ theme: z.optional(z.string()) })),
});

const ENVIRONMENT = z.object({
  [BESIDE_ENVIRONMENT.history]: z.optional(z.string()),
  [BESIDE_ENVIRONMENT.orders]: z.string().check(z.minLength(1)),
});

const SHOWN_MILLISECONDS = 14 * 86_400_000;

/** CloudWatch shows this to somebody who edits the widget. */
const DESCRIPTION = `## Rolls of ecs-ami-deploy

How each group stands, its latest roll within a fortnight, as its events tell it, and levers: whoever looks orders with
rights of their own, which \`lambda:InvokeFunction\` on the function for orders gives. It takes no parameters.`;

/** Lambda ends the widget after 20 s, and what the history tells is to be seen even if AWS is slow. */
const LOOK_SECONDS = 12;

/** Enough for a fortnight of rolls; Lambda's 20 s are for the picture, too, and more would take them all. */
const HISTORY = { mostPages: 50, mostCharacters: 8_000_000, seconds: 10 } as const;

/**
 * A custom widget of a CloudWatch dashboard. It reads AWS and the history, and changes nothing; its levers
 * invoke the function for orders with the rights of whoever looks.
 *
 * @returns HTML, or Markdown if it is asked to describe itself
 */
export async function widget(
  event: unknown,
  { invokedFunctionArn }: Pick<Context, 'invokedFunctionArn'>,
): Promise<string> {
  const { describe, widgetContext } = EVENT.parse(event ?? {});
  if (describe) return DESCRIPTION;
  const { HISTORY_LOG_GROUP: history, ORDERS_FUNCTION: ordersArn } = ENVIRONMENT.parse(process.env);
  const since = new Date(Date.now() - SHOWN_MILLISECONDS);
  const [now, { lines, missingBefore }] = await Promise.all([
    lookNow(invokedFunctionArn),
    history ? readHistory(history, since, HISTORY) : NO_HISTORY,
  ]);
  const theme = widgetContext?.theme === 'dark' ? 'dark' : 'light';
  return widgetOf({
    now,
    at: new Date(),
    rolls: pastRolls(lines),
    terminations: pastTerminations(lines),
    theme,
    ordersArn,
    ...(missingBefore && { missingBefore }),
  });
}

const NO_HISTORY: History = { lines: [] };

/** @returns a sentence if nobody could look */
async function lookNow(functionArn: string): Promise<readonly GroupStatus[] | string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    const text = `AWS didn't tell within ${LOOK_SECONDS} s how the groups stand. What follows is what they told before.`;
    timer = setTimeout(() => resolve(text), LOOK_SECONDS * 1000);
  });
  try {
    return await Promise.race([statusOf(functionArn), late]);
  } catch (error) {
    return `How the groups stand can't be read: ${explain(error)}. What follows is what they told before.`;
  } finally {
    clearTimeout(timer);
  }
}

async function statusOf(functionArn: string): Promise<readonly GroupStatus[]> {
  const settings = parseSettings(process.env);
  const look = { action: 'status', clusters: settings.clusters, force: false, origin: 'dashboard' } as const;
  // The widget may make no seals, so that nobody can make any through it: it takes tags at their word.
  const { aws, groups } = await lookBeside(look, settings, undefined, async (aws) => {
    if (process.env[MEMBERSHIP_ENVIRONMENT.table] === undefined) return undefined;
    const { membershipOf } = await import('./sequence/membership.ts');
    // Each group's warning says what its sequence doesn't let it do, and why that can't be read.
    const warn = () => undefined;
    return membershipOf({ aws, settings, clock: systemClock, command: look, functionArn, warn }, process.env);
  });
  return withImages(aws, groups, new Date());
}
