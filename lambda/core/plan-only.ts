import type { Decision } from './actions/decision.ts';
import { imagesOf } from './launch-spec/give-images.ts';
import type { Assessment } from './model/assessment.ts';
import type { Request } from './model/request.ts';

/**
 * Tells what a roll would do where `MODE=plan` lets nothing begin by itself. What would block the roll is
 * told before, as it would be to somebody who asks for it.
 *
 * @returns undefined if the roll may begin, or has begun
 */
export function planOnly(assessment: Assessment, { asked = false }: Request): Decision | undefined {
  const { hasBegun, settings, launch, classified } = assessment;
  if (hasBegun || asked || settings.mode === 'roll') return undefined;
  const outdated = [...classified.drifted, ...classified.warm];
  return { kind: 'planned', reason: { code: 'plan-only', images: imagesOf(launch.sources), outdated } };
}
