import * as z from 'zod/mini';
import type { GroupResult } from '../lambda/core/result.ts';
import type { OrderResult } from '../lambda/orders/write-order.ts';
import { Complaint } from './session.ts';

const GROUP = z.looseObject({
  cluster: z.string(),
  group: z.string(),
  state: z.string(),
  reason: z.string(),
});

const ROLL_ANSWER = z.looseObject({
  groups: z.array(
    z.looseObject({
      ...GROUP.shape,
      imageId: z.nullable(z.string()),
      instances: z.object({
        drifted: z.number(),
        detached: z.number(),
        replaced: z.number(),
        total: z.number(),
      }),
      outdated: z.array(z.looseObject({ instanceId: z.string(), reasons: z.array(z.string()) })),
    }),
  ),
});

const ORDER_ANSWER = z.looseObject({ groups: z.array(GROUP) });

/** What the function that rolls answered. @throws Complaint if it is another function */
export function groupsIn(answer: unknown): GroupResult[] {
  return checked<GroupResult>(z.safeParse(ROLL_ANSWER, answer));
}

/** What the function that takes orders answered. @throws Complaint if it is another function */
export function ordersIn(answer: unknown): OrderResult[] {
  return checked<OrderResult>(z.safeParse(ORDER_ANSWER, answer));
}

type Parsed = { readonly success: true; readonly data: { readonly groups: readonly unknown[] } };

/** The schemas check what is shown; other versions may answer more, and other states. */
function checked<Result>(parsed: Parsed | { readonly success: false }): Result[] {
  if (!parsed.success) throw new Complaint('the function answered something else: is it ecs-ami-deploy?');
  return parsed.data.groups as Result[];
}
