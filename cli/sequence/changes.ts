import type { Allowed } from '../../lambda/core/model/permit.ts';
import { type Advanced, advance } from '../../lambda/core/sequence/advance.ts';
import type { Allowance, Sequence, SequenceOrder, SequenceSeen } from '../../lambda/core/sequence/model.ts';
import { describeView } from '../../lambda/core/sequence/tell.ts';
import type { StageView } from '../../lambda/core/sequence/views.ts';

/** What a member may roll onto from now on. */
export interface AllowedChange extends Partial<Allowed> {
  readonly account: string;
  readonly region: string;
  readonly stack: string;
  readonly line: string;
}

type Allowances = ReadonlyMap<string, Allowance>;

/** Of every member whose allowance is another then; one that may roll nothing any more has no `release`. */
export function changesBetween(before: Allowances, after: Allowances): AllowedChange[] {
  return [...after].flatMap(([key, { lines }]) => {
    const [account = '', region = '', stack = ''] = key.split('#');
    const had = before.get(key)?.lines ?? new Map<string, Allowed>();
    return [...new Set([...had.keys(), ...lines.keys()])].flatMap((line) => {
      const [was, is] = [had.get(line), lines.get(line)];
      const isSame = was?.release === is?.release && was?.isBack === is?.isBack && was?.stops === is?.stops;
      return isSame ? [] : [{ account, region, stack, line, ...is }];
    });
  });
}

export function changeText({ account, region, stack, line, release, isBack, stops }: AllowedChange): string {
  const may =
    release === undefined
      ? `begins no further roll of ${line}`
      : stops
        ? `stops its roll onto ${release} at the next batch`
        : `may ${isBack ? 'go back to' : 'roll onto'} ${release}`;
  return `${account}#${region}#${stack}: ${may}`;
}

/** What the next pass does with an order that it wouldn't do without: sentences. */
export function followsFrom(
  order: SequenceOrder,
  sequence: Sequence,
  seen: SequenceSeen,
  now: Date,
): string[] {
  const without = advance(sequence, seen, now);
  const ordered = advance(sequence, { ...seen, orders: [...seen.orders, order] }, now);
  return [
    ...changedViews(without, ordered).map(describeView),
    ...changesBetween(without.allowances, ordered.allowances).map(changeText),
  ];
}

function changedViews(before: Advanced, after: Advanced): StageView[] {
  const standOf = ({ release, phase }: StageView) => `${phase} ${release}`;
  return after.views.filter((view) => {
    const was = before.views.find(({ line, stage }) => line === view.line && stage === view.stage);
    return was === undefined || standOf(was) !== standOf(view);
  });
}
