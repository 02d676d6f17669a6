import type { Action } from '../../../lambda/core/decision.ts';
import type { LaunchedFrom, LaunchPlace, LaunchSource, OwnLaunchSpec } from '../../../lambda/core/launch.ts';

type CreateVersion = Extract<Action, { kind: 'create-launch-template-version' }>;

/** What the simulated group launches from, and what was made for it. */
export class SimulatedLaunch {
  sources: readonly LaunchSource[];
  own: readonly OwnLaunchSpec[] = [];
  private version = 10;
  private launches = 0;

  constructor(sources: readonly LaunchSource[]) {
    this.sources = sources;
  }

  /** The next instance is launched from the next place, over and over. */
  next(): { readonly imageId: string; readonly launchedFrom: LaunchedFrom | undefined } {
    const source = this.sources[this.launches++ % this.sources.length];
    return { imageId: source?.imageId ?? '', launchedFrom: source && asLaunchedFrom(source.place) };
  }

  perform(action: Action, now: Date): void {
    switch (action.kind) {
      case 'use-launch-configuration':
        this.own = [...this.own, { kind: 'launch-configuration', name: action.name, createdAt: now }];
        this.change(isConfiguration, { name: action.name });
        break;
      case 'create-launch-template-version':
        this.create(action);
        break;
      case 'use-launch-template-version':
      case 'set-default-version':
        this.change(ofTemplate(action.templateId), { version: action.version });
        break;
      case 'change-mixed-instances-policy':
        for (const change of action.changes) {
          if (change.kind === 'version') this.change(ofTemplate(change.templateId), { version: change.to });
        }
        break;
      case 'delete-launch-configuration':
        this.own = this.own.filter((own) => own.kind !== 'launch-configuration' || own.name !== action.name);
        break;
      case 'delete-launch-template-versions':
        this.own = this.own.filter(
          (own) => own.kind !== 'launch-template' || !action.versions.includes(own.version),
        );
    }
  }

  private create({ templateId, sourceVersion, imageId }: CreateVersion): void {
    const version = this.version++;
    const made = {
      kind: 'launch-template',
      templateId,
      version,
      sourceVersion,
      imageId,
      inUse: false,
    } as const;
    this.own = [...this.own, made];
    this.change(ofTemplate(templateId, '$Latest'), { version });
  }

  /** Whatever place is changed gets the image that it is to have. */
  private change(isIt: (place: LaunchPlace) => boolean, changes: object): void {
    this.sources = this.sources.map((source) =>
      isIt(source.place)
        ? { ...source, imageId: source.target.imageId, place: { ...source.place, ...changes } }
        : source,
    );
  }
}

const isConfiguration = ({ kind }: LaunchPlace) => kind === 'launch-configuration';

function ofTemplate(templateId: string, reference?: string) {
  return (place: LaunchPlace) =>
    place.kind === 'launch-template' &&
    place.templateId === templateId &&
    (reference === undefined || place.reference === reference);
}

function asLaunchedFrom(place: LaunchPlace): LaunchedFrom {
  if (place.kind === 'launch-configuration') return place;
  return { kind: 'launch-template', templateId: place.templateId, version: place.version };
}
