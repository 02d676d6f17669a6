import type { Stage } from '../rollout/stage.ts';
import type { Draw } from './random.ts';

const MOST = 6;

/**
 * Groups that launch before they terminate: what fails its health check, and for so many seconds some that
 * they replace by themselves.
 */
export function launchFirst(
  { world, clock, tell, isLooking }: Stage,
  draw: Draw,
  seconds: number,
  onOne: () => void,
): void {
  for (const name of world.state.groups.keys()) world.owner.launchFirst(name);
  const happen = () => {
    // What changes between a look and its deeds, nobody can know.
    if (isLooking()) return void clock.schedule(1, happen);
    const group = draw.oneOf([...world.state.groups.values()].filter(({ members }) => members.size > 0));
    const serving = [...(group?.members.values() ?? [])].filter(
      ({ lifecycleState }) => lifecycleState === 'InService',
    );
    const id = draw.oneOf(serving)?.instance.id;
    if (id === undefined || !world.faults.recommendRebalance(id)) return;
    onOne();
    tell('launches before terminations', `${id} ends once another serves`);
  };
  for (let count = draw.whole(1, MOST); count > 0; count--) clock.schedule(draw.between(0, seconds), happen);
}
