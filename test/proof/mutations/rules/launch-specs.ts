import type { Mutation } from '../mutation.ts';

/** What a group launches from, what we make of it, and what is cleared away. */
export const RULES_OF_LAUNCH_SPECS: readonly Mutation[] = [
  {
    rule: 'the same group, source and image give a copy the same name',
    harm: 'Each kill leaves another launch configuration behind.',
    file: 'lambda/core/own-launch-specs.ts',
    find: '{source.uuid.slice(0, 8)}',
    replace: "{Math.random().toString(16).slice(2, 10).padEnd(8, '0')}",
  },
  {
    rule: 'only launch configurations of our own making are deleted',
    harm: 'A launch configuration of the owner’s, or of another group, is lost.',
    file: 'lambda/core/own-launch-specs.ts',
    find: 'return name.startsWith(prefix) && /^[0-9a-f]{8}-ami-[0-9a-f]+$/.test(name.slice(prefix.length));',
    replace: 'return name.startsWith(prefix.slice(0, 3));',
  },
  {
    rule: 'what the group launches from is not deleted',
    harm: 'The group can launch nothing any more.',
    file: 'lambda/core/own-launch-specs.ts',
    find: '!used.includes(old.version) && !old.inUse',
    replace: 'old.version > 0',
  },
  {
    rule: 'a version that another group names by its number is not deleted',
    harm: 'EC2 deletes it without a word, and that group can launch nothing any more.',
    file: 'lambda/launch-history.ts',
    find: 'const inUse = isDefault || used.has(version);',
    replace: 'const inUse = isDefault;',
  },
  {
    rule: 'a copy that is there already is taken for what it is',
    harm: 'A roll that was killed after the copy fails for ever.',
    file: 'lambda/aws/launch-configurations.ts',
    find: "orAlreadyDone(aws.autoScaling.send(command), 'AlreadyExists', 'AlreadyExistsFault')",
    replace: 'orAlreadyDone(aws.autoScaling.send(command))',
  },
  {
    rule: 'empty strings of a launch configuration are left out of its copy',
    harm: 'AWS refuses the copy, and such a group is never rolled.',
    file: 'lambda/aws/launch-configurations.ts',
    find: "value !== ''",
    replace: 'value !== undefined',
  },
  {
    rule: 'a copy does without the snapshot of the old image',
    harm: 'The new image comes up from the disk of the old one.',
    file: 'lambda/aws/launch-configurations.ts',
    find: 'mapping.DeviceName === rootDeviceName ? withoutSnapshot(mapping) : mapping',
    replace: 'mapping',
  },
  {
    rule: 'a version whose answer was lost is not made twice',
    harm: 'Each call that is repeated leaves another version behind.',
    file: 'lambda/aws/launch-templates.ts',
    find: 'requestedAt.toISOString()',
    replace: 'Math.random()',
  },
  {
    rule: 'a new default or latest version does no harm to others that launch it',
    harm: 'Groups that nobody asked to change launch another image from then on.',
    file: 'lambda/core/shared-templates.ts',
    find: '  if (!user.feelsImageAlone) return true;\n',
    replace: '',
  },
  {
    rule: 'a template that others share is changed only where a setting says so',
    harm: 'Groups of other clusters launch an image that they are not to run.',
    file: 'lambda/core/shared-templates.ts',
    find: "return sharedTemplates === 'block';",
    replace: 'return false;',
  },
  {
    rule: 'what a group launched from is written down before it is changed',
    harm: 'A roll that goes wrong can’t be taken back.',
    file: 'lambda/core/record.ts',
    find: 'const previous = withPrevious(begun.previous, outdated);',
    replace: 'const previous = begun.previous;',
  },
];
