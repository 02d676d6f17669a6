import type { Aws } from '../aws/clients.ts';
import { tryRead } from '../aws/errors.ts';
import { once, rare } from '../aws/rare.ts';
import { canRoll, isConcerned, withGroups } from '../core/group/assess.ts';
import { awaitsSequence, haltedBySequence } from '../core/group/in-sequence.ts';
import type { ClusterAssessment, GroupAssessment } from '../core/model/assessment.ts';
import type { Group } from '../core/model/group.ts';
import type { Settings } from '../core/model/settings.ts';
import type { Closed } from '../core/reasons/hold-ups.ts';

/** What reads cron expressions: loaded only by an invocation that has windows. */
export const openings = once(() => import('./window-openings.ts'));

/** Adds for each group that is outdated or rolling whether something new may begin now. */
export async function withWindows(aws: Aws, assessed: ClusterAssessment): Promise<ClusterAssessment> {
  const { groups, observation, settings } = assessed;
  if (!groups.some((each) => isRestricted(each) || haltedBySequence(each.group))) return assessed;
  const closed = groups.some(isRestricted)
    ? await closedByCalendars(aws, settings.changeCalendars)
    : undefined;
  const timed = groups.map(async (each): Promise<GroupAssessment> => {
    const halted = haltedBySequence(each.group);
    if (!isRestricted(each)) return halted ? { ...each, group: { ...each.group, closed: halted } } : each;
    const { closed: outside, opens } = await inWindows(observation.now, each.settings);
    const why = halted ?? closed ?? outside;
    return { ...each, group: { ...each.group, ...(why && { closed: why }), ...(opens && { opens }) } };
  });
  return withGroups(assessed, await Promise.all(timed));
}

/** One that waits for its sequence tells that whether it could begin now. */
function isRestricted(assessment: GroupAssessment): boolean {
  const { windows, changeCalendars } = assessment.settings;
  const awaits = canRoll(assessment) && assessment.launch.sources.some(awaitsSequence);
  return (isConcerned(assessment) || awaits) && (windows !== undefined || changeCalendars.length > 0);
}

/** Each is asked for alone, as AWS answers for several as for one. */
async function closedByCalendars(aws: Aws, calendars: readonly string[]): Promise<Closed | undefined> {
  if (calendars.length === 0) return undefined;
  const { calendarState } = await rare.changeCalendars();
  const closed: string[] = [];
  const openings: Date[] = [];
  for (const calendar of calendars) {
    const read = await tryRead(calendarState(aws, calendar));
    if (read.kind === 'unread') return { code: 'calendar-unread', calendar, because: read.because };
    if (read.answer.isOpen) continue;
    closed.push(calendar);
    openings.push(...(read.answer.changesAt ? [read.answer.changesAt] : []));
  }
  if (closed.length === 0) return undefined;
  const last = openings.sort((a, b) => a.getTime() - b.getTime()).at(-1);
  return { code: 'calendars-closed', calendars: closed, ...(last && { opensAt: last }) };
}

async function inWindows(now: Date, { windows }: Settings): Promise<Pick<Group, 'closed' | 'opens'>> {
  if (windows === undefined) return {};
  const { opensAt, openingsOf } = await openings();
  const at = opensAt(windows, now);
  const opens = openingsOf(windows, now);
  return {
    ...(at !== now && { closed: { code: 'outside-windows', ...(at && { opensAt: at }) } }),
    ...(opens && { opens }),
  };
}
