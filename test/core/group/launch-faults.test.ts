import { describe, expect, test } from 'vitest';
import { areOfNoImage, hasLateComer, hinderedUntil } from '../../../lambda/core/group/launch-faults.ts';
import { ago, assessed, detached, fresh, observe, type Scene, type Sketch } from '../builders.ts';

const NO_ROOM = 'We currently do not have sufficient m5.large capacity in the Availability Zone';
const launches = (...messages: readonly string[]) =>
  messages.map((message, index) => ({ at: ago(60 * (index + 1)), message }));

describe('a launch fails whatever its image is', () => {
  // As EC2 writes them.
  test.each([
    [NO_ROOM],
    ['InsufficientInstanceCapacity: There is no Spot capacity available that matches your request.'],
    ['UnfulfillableCapacity: Unable to fulfill capacity'],
    ['The requested Capacity Reservation is not active'],
    ['ReservationCapacityExceeded: the reservation does not have enough instances left'],
    ['You have requested more vCPU capacity than your current vCPU limit of 32 allows'],
    ['VcpuLimitExceeded: You have requested too many'],
    ['Max spot instance count exceeded'],
    ['You have reached your quota of elastic IPs'],
    ['There are not enough free addresses in subnet subnet-1 to satisfy the request'],
    ['InsufficientFreeAddressesInSubnet: subnet-1'],
    ['Your Spot request price of 0.01 is lower than the minimum required Spot request fulfillment price'],
    ['The security group sg-1 does not exist'],
    ['The key pair main does not exist'],
  ])('%s', (message) => {
    expect(areOfNoImage(launches(message))).toBe(true);
  });

  test('but not if any launch failed by what may be its image, or none failed', () => {
    expect(areOfNoImage(launches('The image id [ami-1] does not exist'))).toBe(false);
    expect(areOfNoImage(launches(NO_ROOM, 'Invalid device name'))).toBe(false);
    expect(areOfNoImage([])).toBe(false);
  });
});

test('replacements are hindered until the last launch failed by something else than the image', () => {
  const until = (...messages: readonly string[]) =>
    hinderedUntil({ details: { failedLaunches: launches(...messages) } }).getTime();
  expect(until(NO_ROOM, NO_ROOM)).toBe(ago(60).getTime());
  expect(until(NO_ROOM, 'Invalid device name')).toBe(0);
  expect(until()).toBe(0);
  expect(hinderedUntil({}).getTime()).toBe(0);
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
