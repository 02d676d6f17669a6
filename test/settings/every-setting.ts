import { Duration, TimeZone } from 'aws-cdk-lib';
import {
  DrainConcurrency,
  DriftCause,
  ImageOwner,
  ImageSource,
  MaintenanceWindow,
  Mode,
  OnDrainTimeout,
  SharedTemplates,
  StandaloneTasks,
  StandbyInstances,
  Surge,
  TerminateHooks,
} from '../../infra/choices.ts';
import type { Settings } from '../../lambda/core/model/settings.ts';
import { GROUP_TABLE, keysOf, ROLLOUT_TABLE, type RolloutSetting } from '../../lambda/settings/table.ts';
import { alarms, autoScalingGroup, cluster, hook } from '../infra/imported.ts';

const CALENDAR = 'arn:aws:ssm:eu-west-1:111122223333:document/freeze';
const FUNCTIONS = 'arn:aws:lambda:eu-west-1:111122223333:function:';
const [WEB, JOBS] = [cluster('web'), cluster('arn:aws:ecs:eu-west-1:111122223333:cluster/jobs')];
const [BLUE, AT_NIGHT] = [autoScalingGroup('blue'), autoScalingGroup('at night')];
const NIGHTS = { cron: '0 2 * * 1,3', minutes: 240, timeZone: 'Europe/Berlin' };
const SATURDAYS = { cron: '0 3 * * SAT', minutes: 30, timeZone: 'Etc/UTC' };
const GROUPS = [
  { cluster: WEB, autoScalingGroup: BLUE },
  { cluster: JOBS, autoScalingGroup: AT_NIGHT },
];
const WINDOWS = [
  MaintenanceWindow.cron('0 2 * * 1,3', { duration: Duration.hours(4), timeZone: TimeZone.EUROPE_BERLIN }),
  MaintenanceWindow.cron('0 3 * * SAT', { duration: Duration.minutes(30) }),
];
const OF_GROUPS = [
  { cluster: 'web', group: 'blue' },
  { cluster: 'jobs', group: 'at night' },
];
const IMAGE = { kind: 'name', pattern: 'my-image-*' } as const;

/**
 * Each setting otherwise than by default: its text, in the environment, the context and a tag; what the
 * function reads of it; and its prop.
 */
const EVERY: { readonly [S in RolloutSetting]: readonly [text: string, value: Settings[S], prop: unknown] } =
  {
    clusters: ['web,jobs', ['web', 'jobs'], [WEB, JOBS]],
    groups: ['web:blue,jobs:at night', OF_GROUPS, GROUPS],
    groupConcurrency: ['3', 3, 3],
    pollSeconds: ['0.5', 0.5, Duration.millis(500)],
    changeCalendars: [CALENDAR, [CALENDAR], [CALENDAR]],
    onTrialPassed: [`${FUNCTIONS}tried`, `${FUNCTIONS}tried`, hook('tried')],
    beforeBatch: [`${FUNCTIONS}next`, `${FUNCTIONS}next`, hook('next')],
    hookTimeoutMinutes: ['120', 120, Duration.hours(2)],
    mode: ['plan', 'plan', Mode.PLAN],
    announceMinutes: ['30', 30, Duration.minutes(30)],
    windows: ['0 2 * * 1,3 240m Europe/Berlin,0 3 * * SAT 30m Etc/UTC', [[NIGHTS, SATURDAYS]], WINDOWS],
    image: ['name:my-image-*', IMAGE, ImageSource.newest('my-image-*')],
    imageOwner: ['self', 'self', ImageOwner.SELF],
    minImageAgeDays: ['0.5', 0.5, Duration.hours(12)],
    drift: ['launch-spec,age', ['launch-spec', 'age'], [DriftCause.LAUNCH_SPEC, DriftCause.AGE]],
    maxInstanceAgeDays: ['30', 30, Duration.days(30)],
    maxSurge: ['0%', { kind: 'count', count: 0 }, Surge.percent(0)],
    raiseMaxSize: ['true', true, true],
    standby: ['replace', 'replace', StandbyInstances.REPLACE],
    terminateHooks: ['run', 'run', TerminateHooks.RUN],
    sharedTemplates: ['update', 'update', SharedTemplates.UPDATE],
    canary: ['2', 2, 2],
    bakeSeconds: ['0', 0, Duration.seconds(0)],
    alarmNames: ['api errors,jobs/late', ['api errors', 'jobs/late'], alarms('api errors', 'jobs/late')],
    alarmTimeoutSeconds: ['60', 60, Duration.minutes(1)],
    drainConcurrency: ['2', 2, DrainConcurrency.instances(2)],
    stableSeconds: ['60', 60, Duration.minutes(1)],
    readyTimeoutSeconds: ['600', 600, Duration.minutes(10)],
    drainTimeoutSeconds: ['3600', 3600, Duration.hours(1)],
    onDrainTimeout: ['force', 'force', OnDrainTimeout.FORCE],
    standaloneTasks: ['stop', 'stop', StandaloneTasks.STOP],
    keepLaunchSpecs: ['0', 0, 0],
    tagSettings: ['drift,max-surge', ['drift', 'maxSurge'], ['drift', 'max-surge']],
    tagImages: [
      'auto,ssm:/golden',
      [{ kind: 'auto' }, { kind: 'parameter', parameter: '/golden' }],
      [ImageSource.RECOMMENDED, ImageSource.ssmParameter('/golden')],
    ],
    tagImageOwners: [
      'self,444455556666',
      ['self', '444455556666'],
      [ImageOwner.SELF, ImageOwner.account('444455556666')],
    ],
  };

export const EVERY_SETTING = keysOf(ROLLOUT_TABLE).map((setting) => {
  const [text, value, prop] = EVERY[setting];
  const { variable, parser } = ROLLOUT_TABLE[setting];
  return { setting, variable, kind: parser.kind, isOfGroup: setting in GROUP_TABLE, text, value, prop };
});

/** Of all of them by variable. */
export const EVERY_VARIABLE = Object.fromEntries(EVERY_SETTING.map(({ variable, text }) => [variable, text]));
