import { templatesOf } from '../world/autoscaling/launch-sources.ts';
import type { Group } from '../world/autoscaling/model.ts';
import type { Instance, LaunchTemplate } from '../world/ec2/model.ts';
import type { Listener, WorldEvent } from '../world/events.ts';
import { mistakenSurge } from './budget.ts';
import { watchEvened } from './evened.ts';
import { groupsInScope, isDrifted, isInScope, type Watch } from './expectations.ts';
import type { Ledger } from './ledger.ts';
import { watchWanted } from './wanted.ts';

/**
 * 3. Only what was drifted (or forced) and tagged is ended; nothing of anybody else's is touched. What a roll
 * has taken for its own by a note that somebody put back, it gives back: at most as many as there are.
 */
export function watchScope(watch: Watch, ledger: Ledger): Listener {
  // Once rightly chosen it stays so, though the target may move on.
  const chosen = new Set<Instance>();
  const tagged = new WeakSet<Instance>();
  const wanted = watchWanted(watch);
  const evened = watchEvened(watch);

  const expectChosen = (instance: Instance, what: string, kind: WorldEvent['kind']) => {
    const isMarked = watch.customs.isMarked(instance, kind, tagged.has(instance));
    ledger.expect(3, isMarked, () => `${instance.id} ${what} untagged`);
    if (!chosen.has(instance) && isToGo(instance)) chosen.add(instance);
    ledger.expect(
      3,
      chosen.has(instance) && isInScope(watch, instance.launchedBy),
      () => `${instance.id} ${what}, though it was not one to replace`,
    );
  };

  const isToGo = (instance: Instance) =>
    isDrifted(watch, instance) ||
    watch.customs.isTakenBack(instance) ||
    evened.takes(instance) ||
    isSurplus(instance);

  let surplus = watch.expectations.surplus ?? 0;
  const givenBack = new Map<Group, number>();
  const isSurplus = ({ launchedBy: group }: Instance): boolean => {
    if (group !== undefined) {
      const before = givenBack.get(group) ?? 0;
      givenBack.set(group, before + 1);
      if (before < Math.min(mistakenSurge(watch, group), group.desiredCapacity)) return true;
    }
    return surplus-- > 0;
  };

  return (event) => {
    wanted.note(event);
    evened.note(event);
    if (event.kind === 'instance-tagged') tagged.add(event.instance);
    const touched = touchedInstance(event);
    if (touched) expectChosen(touched.instance, touched.what, event.kind);
    if (event.kind === 'instance-terminating' && event.cause === 'group') {
      const { instance } = event;
      if (wanted.isByCalls('group', instance)) expectChosen(instance, 'was scaled in', event.kind);
    }
    if (event.kind === 'instance-tagged') {
      const { id, launchedBy } = event.instance;
      const isOurs = isInScope(watch, launchedBy);
      ledger.expect(3, isOurs, () => `${id} was tagged, though its group is not being rolled`);
    }
    if (event.kind === 'group-written' && event.cause === 'call') {
      const { group } = event;
      const isOurs = isInScope(watch, group);
      ledger.expect(3, isOurs, () => `Group ${group.name} was changed, though it is not being rolled`);
    }
    watchLaunchSpecs(watch, ledger, event);
  };
}

function touchedInstance(event: WorldEvent) {
  if (!('cause' in event) || event.cause !== 'call') return undefined;
  switch (event.kind) {
    case 'instance-terminating':
      return { instance: event.instance, what: 'was terminated' };
    case 'member-detaching':
      return { instance: event.instance, what: 'was detached' };
    case 'container-instance-deregistered': {
      const { instance } = event.containerInstance;
      return { instance, what: 'was deregistered' };
    }
    case 'container-instance-changed': {
      const { instance, status } = event.containerInstance;
      return status === 'DRAINING' ? { instance, what: 'was set DRAINING' } : undefined;
    }
    default:
      return undefined;
  }
}

/**
 * What its owner made stays; a template's default moves only where a group goes by it, or off a latest
 * version that isn't its owner's, and that a group on `$Latest` is to lose.
 */
function watchLaunchSpecs(watch: Watch, ledger: Ledger, event: WorldEvent) {
  if (event.kind === 'launch-configuration-written') {
    if (event.change !== 'deleted') return;
    const { description, madeBy } = event.launchConfiguration;
    ledger.expect(
      3,
      madeBy === 'call',
      () => `${description.LaunchConfigurationName} was deleted, though its owner made it`,
    );
  }
  if (event.kind !== 'template-written' || event.cause !== 'call') return;
  const { template, version, change } = event;
  const what = () => `${template.name} version ${version.number}: ${change}`;
  const references = referencesTo(watch, template);
  ledger.expect(3, references.length > 0, what);
  if (change === 'deleted') ledger.expect(3, version.madeBy === 'call', what);
  if (change !== 'default') return;
  const latest = template.versions.get(Math.max(...template.versions.keys()));
  const isOnLatest = references.includes('$Latest') && latest?.madeBy === 'call' && latest !== version;
  ledger.expect(3, references.includes('$Default') || isOnLatest, what);
}

function referencesTo(watch: Watch, template: LaunchTemplate): string[] {
  return groupsInScope(watch)
    .flatMap(({ launchSpec }) => templatesOf(launchSpec))
    .flatMap((named) => (named.template === template ? [named.version ?? '$Default'] : []));
}
