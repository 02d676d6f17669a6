import type { Logger } from '@aws-lambda-powertools/logger';
import { explain } from '../aws/errors.ts';
import type { Image } from '../core/model/launch.ts';
import type { GroupResult } from '../core/result.ts';
import type { Command } from '../event.ts';
import type { Invocation, Journal } from '../invocation.ts';
import { rollAges } from '../roll-ages.ts';
import { releasesBehindOf } from './behind.ts';
import { figuresOf, imageDatesOf, targetsOf } from './figures.ts';
import { phases } from './phases.ts';
import { type Detail, publish } from './publish.ts';

/** Makes metrics of what a rollout does. Whatever goes wrong with them, the rollout doesn't notice. */
export interface MeteredJournal extends Pick<Journal, 'decided' | 'failed'> {
  concluded(results: readonly GroupResult[]): Promise<void>;
}

export interface MeteredInvocation extends Pick<Invocation, 'aws' | 'clock' | 'remainingSeconds'> {
  readonly action: Command['action'];
  readonly detail: Detail;
  readonly functionName: string | undefined;
  readonly logger: Pick<Logger, 'warn'>;
}

/** What the last decision knew of a group's images. */
interface Images {
  readonly known: ReadonlyMap<string, Image>;
  readonly targets: readonly Image[];
  readonly dates: ReadonlyMap<string, Date>;
}

const NO_IMAGES: Images = { known: new Map(), targets: [], dates: new Map() };

/** With less time left than this, EC2 isn't asked for releases. */
const LEAST_SECONDS = 30;

export function meteredJournal(metered: MeteredInvocation): MeteredJournal {
  const { aws, clock, action, detail, functionName, logger, remainingSeconds } = metered;
  const ages = rollAges(clock);
  const spent = phases(clock);
  const images = new Map<string, Images>();
  const imagesOf = ({ cluster, group }: GroupResult) => images.get(`${cluster}/${group}`) ?? NO_IMAGES;
  return {
    decided(cluster, decided) {
      ages.heard(cluster, decided);
      spent.heard(cluster, decided);
      const { group, observation } = decided.assessment;
      const targets = targetsOf(group);
      const dates = imageDatesOf(decided);
      images.set(`${cluster}/${group.name}`, { known: observation.images, targets, dates });
    },
    failed: spent.closed,
    async concluded(results) {
      try {
        // A roll under way is told by other metrics, and a person who asks is told by the answer.
        const isAsked = action === 'roll' && remainingSeconds() >= LEAST_SECONDS;
        const behind = isAsked
          ? await releasesBehindOf(
              aws,
              results.map((result) => groupImages(result, imagesOf(result))),
            )
          : [];
        for (const [index, result] of results.entries()) {
          const { cluster, group } = result;
          const figures = figuresOf(result, {
            now: clock.now(),
            rollAge: ages.ageOf(result),
            phaseSeconds: spent.secondsOf(cluster, group),
            imageDates: imagesOf(result).dates,
            releasesBehind: behind[index],
          });
          publish(functionName, detail, result, figures);
        }
      } catch (error) {
        logger.warn(`metrics could not be told: ${explain(error)}`);
      }
    },
  };
}

function groupImages({ running = [] }: GroupResult, { known, targets }: Images) {
  return { targets, running: running.flatMap(({ imageId }) => known.get(imageId) ?? []) };
}
