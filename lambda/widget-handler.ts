import * as z from 'zod/mini';
import { readHistory } from './aws/history.ts';
import { WIDGET_ENVIRONMENT } from './contract.ts';
import { pastRolls } from './history/past-rolls.ts';
import { widgetOf } from './history/widget.ts';

/** What CloudWatch asks with. The rest of it, such as who looks, is of no concern. */
const EVENT = z.object({
  describe: z.optional(z.unknown()),
  widgetContext: z.optional(z.object({ theme: z.optional(z.string()) })),
});

const ENVIRONMENT = z.object({
  [WIDGET_ENVIRONMENT.history]: z.string().check(z.minLength(1)),
  [WIDGET_ENVIRONMENT.orders]: z.string().check(z.minLength(1)),
});

const SHOWN_MILLISECONDS = 14 * 86_400_000;

/** CloudWatch shows this to somebody who edits the widget. */
const DESCRIPTION = `## Rolls of ecs-ami-deploy

The latest roll of each group within a fortnight, as its events tell it, and levers: whoever looks orders with rights
of their own, which \`lambda:InvokeFunction\` on the function for orders gives. It takes no parameters.`;

/**
 * A custom widget of a CloudWatch dashboard. It reads the history and nothing else; its levers invoke the
 * function for orders with the rights of whoever looks.
 *
 * @returns HTML, or Markdown if it is asked to describe itself
 */
export async function widget(event: unknown): Promise<string> {
  const { describe, widgetContext } = EVENT.parse(event ?? {});
  if (describe) return DESCRIPTION;
  const { HISTORY_LOG_GROUP: history, ORDERS_FUNCTION: ordersArn } = ENVIRONMENT.parse(process.env);
  const lines = await readHistory(history, new Date(Date.now() - SHOWN_MILLISECONDS));
  const theme = widgetContext?.theme === 'dark' ? 'dark' : 'light';
  return widgetOf({ rolls: pastRolls(lines), theme, ordersArn });
}
