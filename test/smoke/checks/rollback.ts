import { CreateOrUpdateTagsCommand, DeleteTagsCommand } from '@aws-sdk/client-auto-scaling';
import { launchVersion, stackOutputs } from '../found.ts';
import { findImages, findPlainImage } from '../images.ts';
import { imagesOfMembers } from '../members.ts';
import { NAME, TASKS } from '../names.ts';
import { rollToEnd } from '../rolling.ts';
import type { Check, Finding, Smoke } from '../smoke.ts';
import { secondsUntil } from '../wait.ts';

/** By which a group has another image, as far as `tagImages` of the stack lets it. */
const IMAGE_TAG = { ResourceId: NAME, ResourceType: 'auto-scaling-group', Key: 'ecs-ami-deploy:image' };

/** Amazon Linux without an ECS agent: its instances run, and never register. */
export const badImageCheck: Check = {
  name: 'a bad image',
  minutes: 15,
  async run(smoke) {
    const { functionName } = await stackOutputs(smoke);
    return withBadImage(smoke, async () => {
      const ending = await rollToEnd(smoke, functionName, { action: 'roll' });
      return [
        await isBack(smoke, 'a roll onto a bad image goes back by itself', ending.minutes),
        {
          what: 'the service never lacks a task meanwhile',
          passed: ending.lowestRunning >= TASKS,
          observed: `${ending.lowestRunning} of ${TASKS} at the least`,
        },
      ];
    });
  },
};

const BEGUN = { what: 'the launch template version of the roll', seconds: 600, everySeconds: 2 };
const HEARD = { what: 'the launch template version of before', seconds: 600, everySeconds: 1 };

/** The same image once more, by force; it is told to roll back as soon as the group launches from it. */
export const rollbackCheck: Check = {
  name: 'an order to roll back',
  minutes: 10,
  async run(smoke) {
    const { functionName, ordersFunctionName } = await stackOutputs(smoke);
    return withBadImage(smoke, async () => {
      const plain = await findPlainImage(smoke);
      const launchesBad = async () => (await launchVersion(smoke)).LaunchTemplateData?.ImageId === plain;
      const rolling = rollToEnd(smoke, functionName, { action: 'roll', force: true });
      // Its outcome is reported below, unless something else fails before.
      rolling.catch(() => undefined);
      await secondsUntil(smoke, BEGUN, launchesBad);
      const ordered = smoke.clock.now();
      const answering = smoke.invoke(ordersFunctionName, { action: 'rollback' });
      await secondsUntil(smoke, HEARD, async () => !(await launchesBad()));
      const seconds = (smoke.clock.now() - ordered) / 1000;
      const answer = await answering;
      const { minutes } = await rolling;
      return [
        {
          what: 'a rollback is heard while a roll is under way',
          passed: answer.kind === 'answered',
          observed: `${answer.kind}; the group launches as before after ${seconds.toFixed(0)} s`,
        },
        await isBack(smoke, 'and carried out', minutes),
      ];
    });
  },
};

async function withBadImage<Result>(smoke: Smoke, work: () => Promise<Result>): Promise<Result> {
  const plain = await findPlainImage(smoke);
  const tag = { ...IMAGE_TAG, Value: plain, PropagateAtLaunch: false };
  await smoke.aws.autoScaling.send(new CreateOrUpdateTagsCommand({ Tags: [tag] }));
  try {
    return await work();
  } finally {
    await smoke.aws.autoScaling.send(new DeleteTagsCommand({ Tags: [IMAGE_TAG] }));
  }
}

/** All that is left runs the newest image, and so would what is launched next. */
async function isBack(smoke: Smoke, what: string, minutes: number): Promise<Finding> {
  const { newest } = await findImages(smoke);
  const images = await imagesOfMembers(smoke);
  const launches = (await launchVersion(smoke)).LaunchTemplateData?.ImageId;
  const good = images.filter((image) => image === newest);
  return {
    what,
    passed: launches === newest && images.length > 0 && good.length === images.length,
    observed: `${good.length} of ${images.length} members on the image of before, after ${minutes.toFixed(1)} min`,
  };
}
