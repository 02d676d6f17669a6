import type { Mutation } from '../mutation.ts';

/** What a group launches from, what we make of it, and what is cleared away. */
export const RULES_OF_LAUNCH_SPECS: readonly Mutation[] = [
  {
    rule: 'the same group, source and image give a copy the same name',
    harm: 'Each kill leaves another launch configuration behind.',
    find: '{source.uuid.slice(0, 8)}',
    replace: "{Math.random().toString(16).slice(2, 10).padEnd(8, '0')}",
  },
  {
    rule: 'only launch configurations of our own making are deleted',
    harm: 'A launch configuration of the owner’s, or of another group, is lost.',
    find: 'if (!name.startsWith(prefix)) return undefined;',
    replace: "if (name.startsWith(prefix.slice(0, 3))) return '22222222';",
  },
  {
    rule: 'what the group launches from is not deleted',
    harm: 'The group can launch nothing any more.',
    find: '!used.includes(old.version) && !old.inUse',
    replace: 'old.version > 0',
  },
  {
    rule: 'a version that another group names by its number is not deleted',
    harm: 'EC2 deletes it without a word, and that group can launch nothing any more.',
    find: 'const inUse = isDefault || used.has(version);',
    replace: 'const inUse = isDefault;',
  },
  {
    rule: 'a copy that is there already is taken for what it is',
    harm: 'A roll that was killed after the copy fails for ever.',
    find: "orAlreadyDone(aws.autoScaling.send(command), 'AlreadyExistsFault')",
    replace: 'orAlreadyDone(aws.autoScaling.send(command))',
  },
  {
    rule: 'empty strings of a launch configuration are left out of its copy',
    harm: 'AWS refuses the copy, and such a group is never rolled.',
    find: "value !== ''",
    replace: 'value !== undefined',
  },
  {
    rule: 'a copy does without the snapshot of the old image',
    harm: 'The new image comes up from the disk of the old one.',
    find: '    if (name === after.rootDeviceName) return { ...device, snapshotId: undefined };\n',
    replace: '',
  },
  {
    rule: 'a new version has the snapshots of its source',
    harm: 'Data volumes of new instances come up empty.',
    find: 'return namesSnapshot ? { BlockDeviceMappings: withSnapshots(mappings, snapshots) } : {};',
    replace: 'return namesSnapshot && snapshots.length > 99 ? { BlockDeviceMappings: mappings } : {};',
  },
  {
    rule: 'a snapshot of the old image’s own gives way to the new one’s',
    harm: 'A data volume of the image keeps what the old image had there.',
    find: 'deviceOf(before, name)?.snapshotId === snapshotId',
    replace: 'deviceOf(before, name) === device',
  },
  {
    rule: 'a volume that is too small for the new image is told before anything changes',
    harm: 'Every launch of the roll fails, and it goes back only after the time limit.',
    find: '      ...unfitVolumes(assessment.launch.sources),\n',
    replace: '',
  },
  {
    rule: 'a version whose answer was lost is not made twice',
    harm: 'Each call that is repeated leaves another version behind.',
    find: 'requestedAt.toISOString()',
    replace: 'Math.random()',
  },
  {
    rule: 'a new default or latest version does no harm to others that launch it',
    harm: 'Groups that nobody asked to change launch another image from then on.',
    find: '  if (!user.feelsImageAlone) return true;\n',
    replace: '',
  },
  {
    rule: 'a template that others share is changed only where a setting says so',
    harm: 'Groups of other clusters launch an image that they are not to run.',
    find: "return sharedTemplates === 'block';",
    replace: 'return false;',
  },
  {
    rule: 'what a group launched from is written down before it is changed',
    harm: 'A roll that goes wrong can’t be taken back.',
    find: 'const previous = withPrevious({ name, uuid }, begun.previous, outdated);',
    replace: 'const previous = begun.previous;',
  },
  {
    rule: 'a launch spec that AWS refuses is told as its owner’s to mend',
    harm: 'The roll fails with an error every five minutes, and nobody learns what to do.',
    find: '    throw new LaunchSpecRefused(error);\n',
    replace: '    throw error;\n',
  },
  {
    rule: 'a refused launch spec blocks the group, and is no fault of the function',
    harm: 'The function fails, and its alarm goes off, for what only the owner can mend.',
    find: 'return error instanceof LaunchSpecRefused || error',
    replace: 'return error',
  },
  {
    rule: 'a group that is gone is no refused launch spec',
    harm: 'Its owner is told to mend what he has deleted.',
    find: '/AutoScalingGroup name not found/i',
    replace: '/it is gone/i',
  },
  {
    rule: 'size, type and encryption of a volume stay as they were',
    harm: 'Volumes come up smaller, slower or unencrypted.',
    find: '...mapping.Ebs, ',
    replace: '',
  },
  {
    rule: 'what a mapping leaves out stays left out',
    harm: 'A device that is meant not to be there comes up as the image has it.',
    find: '    if (mapping.Ebs === undefined) return mapping;\n',
    replace: '',
  },
  {
    rule: 'a root that is mapped from another snapshot is told before anything changes',
    harm: 'Every launch of the new image fails.',
    find: 'if (snapshotId === undefined || snapshotId === own) return undefined;',
    replace: 'if (snapshotId !== own || snapshotId === own) return undefined;',
  },
  {
    rule: 'what an override launches is compared with the template as it stays',
    harm: 'Every launch of the new image fails by what the template maps, and is found out only then.',
    find: "place.kind === 'override' || ",
    replace: '',
  },
];
