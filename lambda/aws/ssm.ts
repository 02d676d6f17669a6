import { GetCalendarStateCommand, GetParametersCommand, SSMClient } from '@aws-sdk/client-ssm';
import { type Aws, rareClient } from './clients.ts';

export const ssmOf = rareClient(SSMClient, 'ssm');

/**
 * The image id in a parameter: the plain id, or `image_id` in the JSON that AWS publishes for the
 * ECS-optimized images.
 *
 * @returns undefined if there is no such parameter, or no image id in it
 */
export async function imageIdInParameter(aws: Aws, parameter: string): Promise<string | undefined> {
  const { Parameters = [] } = await ssmOf(aws).send(new GetParametersCommand({ Names: [parameter] }));
  const value = Parameters[0]?.Value?.trim() ?? '';
  return isImageId(value) ? value : imageIdInJson(value);
}

export interface CalendarState {
  readonly isOpen: boolean;
  /** Absent if it never changes. */
  readonly changesAt?: Date;
}

/** Whether a change calendar is open now. One whose answer says neither counts as closed. */
export async function calendarState(aws: Aws, calendar: string): Promise<CalendarState> {
  const { State, NextTransitionTime = '' } = await ssmOf(aws).send(
    new GetCalendarStateCommand({ CalendarNames: [calendar] }),
  );
  const changesAt = new Date(NextTransitionTime);
  return { isOpen: State === 'OPEN', ...(!Number.isNaN(changesAt.getTime()) && { changesAt }) };
}

function imageIdInJson(text: string): string | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const { image_id: imageId } = JSON.parse(text) as { readonly image_id?: unknown };
    return isImageId(imageId) ? imageId : undefined;
  } catch {
    // Text that only looks like JSON has no image id: the caller reports that, with the parameter's name.
    return undefined;
  }
}

function isImageId(value: unknown): value is string {
  return typeof value === 'string' && /^ami-[0-9a-f]+$/.test(value);
}
