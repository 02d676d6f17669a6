import { Duration } from 'aws-cdk-lib';
import {
  CustomWidget,
  Dashboard,
  GraphWidget,
  type GraphWidgetProps,
  type IMetric,
  LogQueryWidget,
  MathExpression,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { DIMENSIONS, METRIC_NAMESPACE, METRICS } from '../lambda/metric-names.ts';
import { RollPhase } from './choices.ts';
import type { Metered } from './metered.ts';

/** By default groups are looked at once a day, and a shorter period would show dots. */
const DAY = Duration.days(1);

interface DashboardSources extends Metered {
  readonly logGroup: ILogGroup;
  readonly failureQueue: IQueue;
}

/**
 * How old images are, what rolls do, what failed, and what each group answered last.
 *
 * @param widget shows the groups, and draws the rolls
 */
export function createDashboard(shown: DashboardSources, widget: IFunction): Dashboard {
  const dashboard = new Dashboard(shown, 'Dashboard', { defaultInterval: Duration.days(14) });
  dashboard.addWidgets(...ageing(shown));
  dashboard.addWidgets(...rolls(shown));
  dashboard.addWidgets(...failures(shown));
  dashboard.addWidgets(...tables(shown));
  dashboard.addWidgets(
    new CustomWidget({ title: 'Rolls', functionArn: widget.functionArn, width: 24, height: 12 }),
  );
  return dashboard;
}

function ageing(shown: DashboardSources): GraphWidget[] {
  const daily = { period: DAY };
  return [
    graph('Oldest image, in days', [shown.metricImageAge({ ...daily, label: 'image age' })]),
    graph('Releases behind', [shown.metricReleasesBehind({ ...daily, label: 'oldest image' })]),
    graph('Outdated, and kept from a newer image', [
      shown.metricOutdatedMembers({ ...daily, label: 'outdated members of a group' }),
      shown.metricHeldBack({ ...daily, label: 'days held back' }),
    ]),
  ];
}

function rolls(shown: DashboardSources): GraphWidget[] {
  const phase = (of: RollPhase, label: string) => shown.metricPhase(of, { label });
  return [
    graph('Age of the oldest open roll, in seconds', [shown.metricRollAge({ label: 'roll age' })]),
    graph(
      'What rolls spend their time with, in seconds',
      [
        phase(RollPhase.LAUNCH, 'launch'),
        phase(RollPhase.TRIAL, 'trial'),
        phase(RollPhase.DRAIN, 'drain'),
        phase(RollPhase.HELD, 'held'),
      ],
      { stacked: true },
    ),
    graph('Replaced and rolled back', [
      shown.metricReplacedMembers({ period: DAY, label: 'replaced members' }),
      shown.metricRollbacks({ period: DAY, label: 'rollbacks' }),
    ]),
  ];
}

function failures(shown: DashboardSources): GraphWidget[] {
  return [
    graph('Failed', [
      shown.function.metricErrors({ label: 'invocations that ended in error' }),
      shown.failureQueue.metricApproximateNumberOfMessagesVisible({ label: 'in the failure queue' }),
      shown.metricOrdersDropped({ label: 'orders dropped' }),
    ]),
    graph('Blocked, by code', [blockedByCode(shown)]),
    graph('Tags of somebody else', [
      shown.metricUntrustedTags({ period: DAY, label: 'without a valid seal' }),
      shown.metricRequestsByTag({ period: DAY, label: 'ask for an abort or a rollback' }),
    ]),
  ];
}

/** Which codes there are shows only when they occur. */
function blockedByCode({ function: { functionName } }: DashboardSources): IMetric {
  // Without quotes a hyphen ends the name.
  const schema = `{"${METRIC_NAMESPACE}",${DIMENSIONS.function},${DIMENSIONS.code}}`;
  const terms = `${DIMENSIONS.function}="${functionName}" MetricName="${METRICS.blockedGroups}"`;
  return new MathExpression({
    expression: `SEARCH('${schema} ${terms}', 'Sum', ${DAY.toSeconds()})`,
    usingMetrics: {},
    label: '',
    period: DAY,
  });
}

/** Group by group from the log, as metrics of each group cost more than all the rest. */
function tables({ logGroup }: DashboardSources): LogQueryWidget[] {
  const table = (title: string, ...queryLines: string[]) =>
    new LogQueryWidget({
      title,
      logGroupNames: [logGroup.logGroupName],
      queryLines,
      width: 12,
      height: 8,
    });
  return [
    table(
      'Oldest image of each group',
      `filter ispresent(${METRICS.imageAge})`,
      `stats latest(${METRICS.imageAge}) as days, latest(${METRICS.releasesBehind}) as behind, latest(${METRICS.outdatedMembers}) as outdated by cluster, group`,
      'sort days desc',
    ),
    table(
      'What each group answered last',
      'filter message like /^result: /',
      'stats latest(@timestamp) as at, latest(state) as state, latest(imageId) as image, latest(reason) as why by cluster, group',
    ),
  ];
}

function graph(title: string, left: IMetric[], rest: Partial<GraphWidgetProps> = {}): GraphWidget {
  return new GraphWidget({ title, left, width: 8, height: 6, leftYAxis: { min: 0 }, ...rest });
}
