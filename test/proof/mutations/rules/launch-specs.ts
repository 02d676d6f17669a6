import type { Mutation } from '../mutation.ts';

/** What a group launches from, what we make of it, and what is cleaned up. */
export const RULES_OF_LAUNCH_SPECS: readonly Mutation[] = [
  {
    rule: 'the same group, source and image give a copy the same name',
    harm: 'Each kill leaves another launch configuration behind.',
    find: '{source.uuid.slice(0, 8)}',
    replace: "{Math.random().toString(16).slice(2, 10).padEnd(8, '0')}",
  },
  {
    rule: 'only launch configurations that we made are deleted',
    harm: "A launch configuration of the owner's, or of another group, is lost.",
    find: 'if (!name.startsWith(prefix)) return undefined;',
    replace: "if (name.startsWith(prefix.slice(0, 3))) return '22222222';",
  },
  {
    rule: 'what the group launches from is not deleted',
    harm: "The group can't launch anything any more.",
    find: '!used.includes(old.version) && !old.inUse',
    replace: 'old.version > 0',
  },
  {
    rule: 'a version that another group names by number is not deleted',
    harm: "EC2 deletes it without a word, and that group can't launch anything any more.",
    find: 'const inUse = isDefault || used.has(version);',
    replace: 'const inUse = isDefault;',
  },
  {
    rule: 'an existing copy is recognized',
    harm: 'A roll that was killed after the copy fails forever.',
    find: "    if (hasCode(error, 'AlreadyExistsFault')) return false;\n",
    replace: '',
  },
  {
    rule: 'what stands under the name of a copy is one',
    harm: "A group launches a stranger's user data.",
    find: 'if (isSame(settingsOf(found), wanted)) return;',
    replace: 'return;',
  },
  {
    rule: 'a version is ours only if EC2 says so',
    harm: "A group launches a stranger's user data, under the description of ours.",
    find: '      own.made &&\n',
    replace: '',
  },
  {
    rule: 'empty strings in a launch configuration are left out of its copy',
    harm: 'AWS refuses the copy, and such a group never rolls.',
    find: "value !== ''",
    replace: 'value !== undefined',
  },
  {
    rule: "a copy does not name the old image's snapshot",
    harm: "The new image comes up from the old one's disk.",
    find: '    if (name === after.rootDeviceName) return { ...device, snapshotId: undefined };\n',
    replace: '',
  },
  {
    rule: "a new version keeps its source's snapshots",
    harm: 'New instances come up with empty data volumes.',
    find: 'return namesSnapshot ? { BlockDeviceMappings: withVolumes(mappings, volumes) } : {};',
    replace: 'return namesSnapshot && snapshots.length > 99 ? { BlockDeviceMappings: mappings } : {};',
  },
  {
    rule: 'a version that somebody deleted is made again, although EC2 knows the token',
    harm: 'The roll asks for it again and again, and never gets it.',
    find: '(await isDeleted(aws, templateId, made, now))',
    replace: '(await isDeleted(aws, templateId, made, made.CreateTime ?? now))',
  },
  {
    rule: "the old image's own snapshots give way to the new one's",
    harm: "A data volume of the image keeps the old image's contents.",
    find: 'deviceOf(before, name)?.snapshotId === snapshotId',
    replace: 'deviceOf(before, name) === device',
  },
  {
    rule: 'a volume that is too small for the new image is reported before anything changes',
    harm: 'Every launch of the roll fails, and it only goes back after the time limit.',
    find: '      ...unfitVolumes(assessment.launch.sources),\n',
    replace: '',
  },
  {
    rule: 'a version whose answer was lost is not made twice',
    harm: 'Each repeated call leaves another version behind.',
    find: 'requestedAt.toISOString()',
    replace: 'Math.random()',
  },
  {
    rule: 'a new default or latest version does not affect others that launch it',
    harm: 'From then on, groups that nobody asked to change launch another image.',
    find: '  if (!user.feelsImageAlone) return true;\n',
    replace: '',
  },
  {
    rule: 'what a group launched from is recorded before it is changed',
    harm: "A roll that goes wrong can't be rolled back.",
    find: 'const previous = withPrevious({ name, uuid }, begun.previous, outdated);',
    replace: 'const previous = begun.previous;',
  },
  {
    rule: "a launch spec that AWS refuses is reported as its owner's to fix",
    harm: 'The roll fails with an error every five minutes, and nobody learns what to do.',
    find: '    throw new LaunchSpecRefused(error);\n',
    replace: '    throw error;\n',
  },
  {
    rule: "a refused launch spec blocks the group, and is not the function's fault",
    harm: 'The function fails and its alarm goes off for something only the owner can fix.',
    find: 'const ofLaunchSpec = error instanceof LaunchSpecRefused || error',
    replace: 'const ofLaunchSpec = error',
  },
  {
    rule: 'a group that is gone is not a refused launch spec',
    harm: 'Its owner is told to fix what they have deleted.',
    find: '/AutoScalingGroup name not found|',
    replace: '/it is gone|',
  },
  {
    rule: "a volume's size, type and encryption stay as they were",
    harm: 'Volumes come up smaller, slower or unencrypted.',
    find: 'withoutUndefined({ ...rest, SnapshotId,',
    replace: 'withoutUndefined({ SnapshotId,',
  },
  {
    rule: 'what a mapping leaves out stays left out',
    harm: 'A device that should not be there comes up as the image has it.',
    find: 'if (Ebs === undefined) return [mapping];',
    replace: 'if (Ebs === undefined) return [];',
  },
  {
    rule: 'a root mapped from another snapshot is reported before anything changes',
    harm: 'Every launch of the new image fails.',
    find: 'if (snapshotId === undefined || snapshotId === own) return undefined;',
    replace: 'if (snapshotId !== own || snapshotId === own) return undefined;',
  },
  {
    rule: 'what an override launches is compared with the template, which stays as it is',
    harm: 'Every launch of the new image fails because of what the template maps, and that shows only then.',
    find: "place.kind === 'override' || ",
    replace: '',
  },
];
