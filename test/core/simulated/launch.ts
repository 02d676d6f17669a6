import type { Action } from '../../../lambda/core/actions/decision.ts';
import type {
  Image,
  LaunchedFrom,
  LaunchPlace,
  LaunchSource,
  OwnLaunchSpec,
  PolicyChange,
  TemplateUser,
} from '../../../lambda/core/model/launch.ts';
import type { Rejection, Roll } from '../../../lambda/core/model/roll.ts';
import { NEWER, NOW, OLD, TARGET } from '../builders.ts';

interface Version {
  readonly imageId: string;
  /** What it was made from; there where it is ours. */
  readonly sourceVersion?: number;
}

interface Template {
  readonly versions: Map<number, Version>;
  byDefault: number;
}

/** What the simulated group launches from, and what was made for it: launch configurations and templates with their images. */
export class SimulatedLaunch {
  private readonly targets: readonly Image[];
  private places: readonly LaunchPlace[];
  private readonly overrides: string[];
  private readonly configurations = new Map<string, string>();
  /** The UUIDs of configurations, by name. */
  readonly uuids = new Map<string, string>();
  private readonly templates = new Map<string, Template>();
  private launches = 0;

  constructor(sources: readonly LaunchSource[]) {
    this.targets = sources.map(({ target }) => target);
    this.places = sources.map(({ place }) => place);
    this.overrides = sources.map(({ imageId }) => imageId);
    for (const { place, imageId } of sources) {
      if (place.kind === 'launch-configuration') {
        this.configurations.set(place.name, imageId);
        this.uuids.set(place.name, place.uuid);
      }
      if (place.kind === 'launch-template') {
        const { templateId, version } = place;
        this.templates.set(templateId, { versions: new Map([[version, { imageId }]]), byDefault: version });
      }
    }
  }

  /** The images that it launches. */
  get imageIds(): string[] {
    return this.places.map((place, index) => this.imageOf(place, index));
  }

  /** The images that it is to be rolled onto. */
  get targetIds(): string[] {
    return this.targets.map(({ imageId }) => imageId);
  }

  /** As an observation has it: a roll that goes back is onto nothing new, and what was rejected is no target. */
  sources(
    roll: Pick<Roll, 'course' | 'imageIds'> | undefined,
    rejection: Rejection | undefined,
  ): LaunchSource[] {
    return this.places.map((one, index) => {
      const place = this.resolved(one);
      const imageId = this.imageOf(one, index);
      const target = this.targets[index] ?? TARGET;
      if (roll?.course.kind === 'rollback') return { place, imageId, target: imageWith(imageId) };
      const isRejected = rejection?.imageIds.includes(target.imageId) && roll === undefined;
      if (!isRejected) return { place, imageId, target };
      return { place, imageId, target: imageWith(imageId), rejected: target.imageId, soaks: true };
    });
  }

  get own(): OwnLaunchSpec[] {
    const copies = [...this.configurations.keys()].filter((name) => name.includes('ecs-ami-deploy'));
    return [
      ...copies.map((name) => ({ kind: 'launch-configuration', name, createdAt: NOW }) as const),
      ...[...this.templates].flatMap(([templateId, { versions, byDefault }]) =>
        [...versions].flatMap(([version, { imageId, sourceVersion }]) => {
          if (sourceVersion === undefined) return [];
          const inUse = version === byDefault || this.users.some((user) => user.version === version);
          return [{ kind: 'launch-template', templateId, version, sourceVersion, imageId, inUse } as const];
        }),
      ),
    ];
  }

  get users(): TemplateUser[] {
    return this.places.map(this.resolved, this).flatMap((place) => {
      if (place.kind !== 'launch-template') return [];
      const { templateId, reference, version } = place;
      return [{ templateId, group: 'web-ecs', reference, version }];
    });
  }

  /** The next instance is launched from the next place, over and over. */
  next(): { readonly imageId: string; readonly launchedFrom: LaunchedFrom | undefined } {
    const index = this.launches++ % this.places.length;
    const place = this.places[index];
    if (place === undefined) throw new Error('the group launches from nothing');
    return { imageId: this.imageOf(place, index), launchedFrom: asLaunchedFrom(this.resolved(place)) };
  }

  /** @throws Error where it would take away what is in use */
  perform(action: Action): void {
    switch (action.kind) {
      case 'copy-launch-configuration':
        if (!this.configurations.has(action.name)) this.uuids.set(action.name, uuidOf(this.uuids.size));
        this.configurations.set(action.name, action.image.imageId);
        break;
      case 'use-launch-configuration':
        if (!this.configurations.has(action.name)) throw new Error(`uses ${action.name}, which isn't there`);
        this.change('launch-configuration', { name: action.name, uuid: this.uuids.get(action.name) });
        break;
      case 'create-launch-template-version': {
        const { templateId, sourceVersion, imageId } = action;
        const { versions } = this.template(templateId);
        versions.set(Math.max(...versions.keys()) + 1, { imageId, sourceVersion });
        break;
      }
      case 'use-launch-template-version':
        this.change('launch-template', { version: action.version });
        break;
      case 'set-default-version':
        this.template(action.templateId).byDefault = action.version;
        break;
      case 'change-mixed-instances-policy':
        this.changePolicy(action.changes);
        break;
      case 'delete-launch-configuration':
        if (this.places.some((place) => 'name' in place && place.name === action.name))
          throw new Error(`deletes ${action.name}, which the group launches from`);
        this.configurations.delete(action.name);
        this.uuids.delete(action.name);
        break;
      case 'delete-launch-template-versions':
        this.deleteVersions(action);
    }
  }

  private deleteVersions({
    templateId,
    versions,
  }: Extract<Action, { kind: 'delete-launch-template-versions' }>): void {
    const template = this.template(templateId);
    for (const version of versions) {
      const isNamed = this.places.some(
        (place) =>
          place.kind === 'launch-template' && place.templateId === templateId && isBy(place, version),
      );
      if (isNamed || version === template.byDefault) throw new Error(`deletes version ${version}, in use`);
      const found = template.versions.get(version);
      if (found !== undefined && found.sourceVersion === undefined)
        throw new Error(`deletes version ${version}, the owner's`);
      template.versions.delete(version);
    }
  }

  private changePolicy(changes: readonly PolicyChange[]): void {
    const images = [...this.overrides];
    this.places = this.places.map((place, index) => {
      for (const each of changes) {
        if (place.kind === 'override' && each.kind === 'image' && each.from === images[index])
          this.overrides[index] = each.to;
        if (place.kind === 'launch-template' && each.kind === 'version' && isBy(place, each.from))
          if (each.templateId === place.templateId) return { ...place, version: each.to };
      }
      return place;
    });
  }

  private change(kind: LaunchPlace['kind'], changes: object): void {
    this.places = this.places.map((place) => (place.kind === kind ? { ...place, ...changes } : place));
  }

  private template(templateId: string): Template {
    const template = this.templates.get(templateId);
    if (template === undefined) throw new Error(`there is no template ${templateId}`);
    return template;
  }

  /** With the version that its reference comes to now. */
  private resolved(place: LaunchPlace): LaunchPlace {
    if (place.kind === 'launch-configuration') return place;
    if (place.kind === 'override') {
      const base = this.places.find((each) => 'templateId' in each && each.templateId === place.templateId);
      const version =
        base?.kind === 'launch-template' ? (this.resolved(base) as typeof base).version : place.version;
      return { ...place, version };
    }
    const { versions, byDefault } = this.template(place.templateId);
    const version = { $Latest: Math.max(...versions.keys()), $Default: byDefault, number: place.version };
    return { ...place, version: version[place.reference] };
  }

  private imageOf(one: LaunchPlace, index: number): string {
    const place = this.resolved(one);
    if (place.kind === 'override') return this.overrides[index] ?? '';
    if (place.kind === 'launch-configuration') return this.configurations.get(place.name) ?? '';
    return this.template(place.templateId).versions.get(place.version)?.imageId ?? '';
  }
}

function uuidOf(count: number): string {
  return `${String(count).padEnd(8, '0')}-0000-4000-8000-000000000000`;
}

function isBy(place: Extract<LaunchPlace, { kind: 'launch-template' }>, version: number): boolean {
  return place.reference === 'number' && place.version === version;
}

function imageWith(imageId: string): Image {
  const found = [OLD, TARGET, NEWER].find((image) => image.imageId === imageId);
  if (found === undefined) throw new Error(`there is no image ${imageId}`);
  return found;
}

function asLaunchedFrom(place: LaunchPlace): LaunchedFrom {
  if (place.kind === 'launch-configuration') return place;
  return { kind: 'launch-template', templateId: place.templateId, version: place.version };
}
