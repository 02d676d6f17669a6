import { describe, expect, test } from 'vitest';
import {
  areOfNoImage,
  failuresOf,
  hasLateComer,
  hinderedUntil,
} from '../../../lambda/core/group/launch-faults.ts';
import type { FailedLaunch } from '../../../lambda/core/model/group.ts';
import {
  ago,
  assessed,
  detached,
  fresh,
  groupOf,
  launching,
  OLD,
  observe,
  PLACE,
  type Scene,
  type Sketch,
  TARGET,
} from '../builders.ts';

const NO_ROOM = 'We currently do not have sufficient m5.large capacity in the Availability Zone';
const launches = (...messages: readonly string[]) =>
  messages.map((message, index) => ({ at: ago(60 * (index + 1)), message }));

const launch = launching(PLACE);
const ofNoImage = (failed: readonly FailedLaunch[]) => areOfNoImage(failed, { launch });

describe('a launch that EC2 refuses', () => {
  // As AWS's pages have them; those without a page as EC2 writes them.
  test.each([
    [NO_ROOM],
    [
      'The requested reservation does not have sufficient compatible and available capacity for this request.',
    ],
    ['Your Capacity Block reservation cr-0123 is not active yet.'],
    ['There is no Spot capacity available that matches your request.'],
    ['5 instance(s) are already running.'],
    ['The requested configuration is currently not supported.'],
    ['The security group sg-1 does not exist.'],
    ['The key pair main does not exist.'],
    ['The key pair my image does not exist.'],
    ["InvalidKeyPair.NotFound: The key pair 'golden-ami' does not exist"],
    ['The security group ami-hosts does not exist.'],
    [
      'Value (image-builder) for parameter iamInstanceProfile.name is invalid. Invalid IAM Instance Profile name',
    ],
    ['The specified launch template, with template name ecs-ami, does not exist.'],
    ["The Placement Group 'image-1' is unknown."],
    ["The snapshot 'snap-0123456789abcdef0' does not exist."],
    ['Client.InvalidSnapshot.NotFound: The specified snapshot was not found.'],
    ["The tag policy does not allow the specified value for the following tag key: 'image'."],
    [
      'User: arn:aws:sts::1:assumed-role/golden-ami/AutoScaling is not authorized to perform: ec2:RunInstances on ' +
        'resource: arn:aws:ec2:eu-central-1:1:subnet/subnet-1',
    ],
    [
      'Your requested instance type (m7i.large) is not supported in your requested Availability Zone (us-east-1e).',
    ],
    [
      'Your Spot request price of 0.015 is lower than the minimum required Spot request fulfillment price of 0.0735.',
    ],
    ["Placement groups may not be used with instances of type 't3.medium'."],
    [
      "You can't launch instances with IMDSv1 because httpTokensEnforced is enabled for this account. Either launch the " +
        'instance with httpTokens=required or contact your account owner to disable httpTokensEnforced using the ' +
        'ModifyInstanceMetadataDefaults API or the account settings in the EC2 console.',
    ],
    ['You are not authorized to perform this operation.'],
    ['InstanceLimitExceeded: Your quota allows for 0 more running instance(s).'],
    ['You have requested more vCPU capacity than your current vCPU limit of 32 allows'],
    ['There are not enough free addresses in subnet subnet-1 to satisfy the request'],
    ['Something that no page has.'],
  ])('is nobody\'s image\'s fault if it says "%s"', (message) => {
    expect(ofNoImage(launches(`${message} Launching EC2 instance failed.`))).toBe(true);
  });

  test.each([
    ['The AMI ID ami-0123456789abcdef0 does not exist.'],
    [
      "You must use a valid fully-formed launch template. The image id '[ami-0123456789abcdef0]' does not exist",
    ],
    ['AMI ami-0123456789abcdef0 is pending, and cannot be run.'],
    ["AMI 'ami-0123456789abcdef0' is disabled, and cannot be run."],
    ['Not authorized for images: [ami-0123456789abcdef0]'],
    ["You can't use the AMI 'ami-0123456789abcdef0', as it isn't shared"],
    [
      'User: arn:aws:sts::1:assumed-role/main/AutoScaling is not authorized to perform: ec2:RunInstances on ' +
        'resource: arn:aws:ec2:eu-central-1::image/ami-0123456789abcdef0',
    ],
    [
      'This AMI does not support the specified instance type. Check DescribeImages for InstanceTypeSpecification.',
    ],
    ['Invalid device name /dev/sdb.'],
    ['Value (ephemeral7) for parameter virtualName is invalid.'],
    ['Client.InternalError: Client error on launch.'],
    ['EBS block device mappings not supported for instance-store AMIs.'],
    ["InvalidBlockDeviceMapping: Volume of size 8GB is smaller than snapshot 'snap-1', expect size >= 30GB"],
    [
      "The architecture 'arm64' of the specified instance type does not match the architecture 'x86_64' of the specified AMI.",
    ],
    ['Enhanced networking with the Elastic Network Adapter (ENA) is required for the instance type'],
    ["The instance type does not support the boot mode 'uefi'"],
  ])('is its image\'s fault if it says "%s"', (message) => {
    expect(ofNoImage(launches(`${message} Launching EC2 instance failed.`))).toBe(false);
  });

  test('counts against the image if any of them does', () => {
    expect(ofNoImage(launches(NO_ROOM, 'Invalid device name'))).toBe(false);
    expect(ofNoImage([])).toBe(false);
  });
});

test.each([
  'Client.InvalidKMSKey.NotFound: The KMS key was not found',
  'Client.InvalidKMSKey.InvalidState: The KMS key provided is in an incorrect state',
])("a key that may not be used is the image's if that has encrypted snapshots: %s", (message) => {
  const isOfNone = (encrypted?: true, launched = false) =>
    areOfNoImage([{ at: ago(60), message, launched }], {
      launch: launching(PLACE, OLD, { ...TARGET, ...(encrypted && { encrypted }) }),
    });
  expect([isOfNone(), isOfNone(undefined, true)]).toEqual([true, true]);
  expect([isOfNone(true), isOfNone(true, true)]).toEqual([false, false]);
  const sources = [launching(PLACE, OLD, { ...TARGET, encrypted: true }), launching(PLACE)];
  const several = { sources: sources.flatMap((each) => each.sources), mixed: true };
  expect(areOfNoImage([{ at: ago(60), message }], { launch: several })).toBe(false);
  const obstacle = { code: 'launch-spec-missing' } as const;
  expect(areOfNoImage([{ at: ago(60), message }], { launch: { obstacle } })).toBe(false);
});

describe('an instance that was launched and never came into service', () => {
  test.each([
    ["Instance failed to complete user's Lifecycle Action: it was abandoned: Heartbeat Timeout", false],
    ['Termination Reason: Client.InstanceInitiatedShutdown: Instance initiated shutdown', false],
    [
      "Instance failed to complete user's Lifecycle Action: the check of its capacity and quotas failed",
      false,
    ],
    ['Termination Reason: Client.InternalError: Client error on launch', false],
    ['Termination Reason: Client.UserInitiatedShutdown: User initiated shutdown', true],
    ['Termination Reason: Client.InvalidSnapshot.NotFound: The specified snapshot was not found', true],
    ['Termination Reason: Client.VolumeLimitExceeded: Volume limit exceeded', true],
    ['Termination Reason: Server.SpotInstanceTermination: Spot instance termination', true],
    ['Termination Reason: Server.InternalError: Internal error on launch', true],
    [`${NO_ROOM}. Launching EC2 instance failed.`, true],
    ['InsufficientInstanceCapacity: There is no room', true],
    ['InstanceLimitExceeded: Your quota allows for 0 more running instance(s).', true],
    ['Your quota allows for 0 more running instance(s).', true],
    ['You have requested more vCPU capacity than your current vCPU limit of 32 allows', true],
    ['There is no Spot capacity available that matches your request.', true],
    [
      'The requested reservation does not have sufficient compatible and available capacity for this request.',
      true,
    ],
  ])('may have failed by its image, unless somebody else ended it: %s', (message, ofNone) => {
    expect(ofNoImage([{ at: ago(60), message, launched: true }])).toBe(ofNone);
  });
});

test('replacements are hindered until the last launch failed by something else than the image', () => {
  const until = (...messages: readonly string[]) =>
    hinderedUntil(groupOf(observe([], { failedLaunches: launches(...messages) }))).getTime();
  expect(until(NO_ROOM, NO_ROOM)).toBe(ago(60).getTime());
  expect(until(NO_ROOM, 'Invalid device name')).toBe(0);
  expect(until()).toBe(0);
  expect(hinderedUntil({ members: [], instances: [], launch }).getTime()).toBe(0);
});

describe('what may be of the image', () => {
  const failedLaunches = launches(NO_ROOM, 'Invalid device name');
  const left = (...sketches: readonly Sketch[]) =>
    failuresOf(groupOf(observe(sketches, { failedLaunches }))).map(({ message }) => message);

  test('was not of the image if a later launch came into service', () => {
    expect(left(fresh('i-9', { age: 119 }))).toEqual([NO_ROOM]);
    expect(left(fresh('i-9', { age: 10 }))).toEqual([NO_ROOM]);
  });

  test.each([
    ['nothing was launched since', fresh('i-9', { age: 120 })],
    ['what was launched since is not in service yet', fresh('i-9', { age: 10, member: 'Pending:Wait' })],
    ['what was launched since is no member', fresh('i-9', { age: 10, member: null })],
  ])('still may be if %s', (_, sketch) => {
    expect(left(sketch, fresh('i-8', { age: 9000 }))).toEqual([NO_ROOM, 'Invalid device name']);
  });
});

describe('launches may have failed before a member that is getting ready', () => {
  const isLate = (sketches: readonly Sketch[], scene: Scene = {}) =>
    hasLateComer(assessed(observe(sketches, scene)));
  const unready = { ecs: null };
  const batch = [detached('i-1', { marked: 5000 }), detached('i-2', { marked: 2000 })];

  test('if it was launched later than a replacement may take after the last of the batch was chosen', () => {
    expect(isLate([...batch, fresh('i-9', { ...unready, age: 1100 })])).toBe(false);
    expect(isLate([...batch, fresh('i-9', { ...unready, age: 1099 })])).toBe(true);
  });

  test('as long as it takes no tasks or is young', () => {
    const old = [detached('i-1', { marked: 5000 })];
    expect(isLate([...old, fresh('i-9', { age: 900 })])).toBe(true);
    expect(isLate([...old, fresh('i-9', { age: 901 })])).toBe(false);
    expect(isLate([...old, fresh('i-9', { ...unready, age: 901 })])).toBe(true);
  });

  test('counted from the beginning of the roll if the group has ended the whole batch', () => {
    const roll = { startedAt: ago(2000) };
    expect(isLate([fresh('i-9', { ...unready, age: 1099 })], { roll })).toBe(true);
    expect(isLate([fresh('i-9', { ...unready, age: 1100 })], { roll })).toBe(false);
    expect(isLate([fresh('i-9', { age: 10 })], { roll })).toBe(false);
    expect(isLate([fresh('i-9', { ...unready, age: 10 })], { roll: null })).toBe(false);
  });

  test('and it is a member', () => {
    expect(isLate([...batch, fresh('i-9', { ...unready, age: 10, member: null })])).toBe(false);
  });
});
