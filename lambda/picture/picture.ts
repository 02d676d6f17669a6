import { html, joined, type Markup, Markup as Safe } from './markup.ts';
import type { InstanceCourse, InstancePhase, Moment, RollPicture, ServiceCourse } from './model.ts';
import { styleOf, type Theme } from './style.ts';
import { elapsedText, marksOn } from './time-axis.ts';

/** Width of a row's drawing in its own units; the page stretches it. */
const WIDTH = 1000;

/** Beyond so many instances the rows are thin and bear no names. */
const MOST_NAMED = 40;

/**
 * A roll as a fragment of HTML: a bar over time for each instance, and above them how many healthy tasks each
 * service had. No script; every name and sentence is escaped.
 */
export function pictureOf(picture: RollPicture, theme: Theme = 'auto'): Markup {
  const { cluster, group, facts, waitsFor, services, instances, moments } = picture;
  const inner = html`<h2>${cluster} / ${group}</h2>
<dl>${joined(facts.map(([label, text]) => html`<dt>${label}</dt><dd>${text}</dd>`))}</dl>
${waitsFor === undefined ? NOTHING : html`<p class="waits">Now: ${waitsFor}</p>`}
${services.length === 0 ? NOTHING : servicesIn(picture)}
${instances.length === 0 ? NOTHING : instancesIn(picture)}
${moments.length === 0 ? NOTHING : html`<ul class="moments">${joined(moments.map(momentIn))}</ul>`}`;
  return framed(inner, theme);
}

/** Gives markup the picture's style. */
export function framed(inner: Markup, theme: Theme): Markup {
  return html`<div class="ead"><style>${new Safe(styleOf(theme))}</style>
${inner}
</div>
`;
}

const NOTHING = new Safe('');

function servicesIn({ services, seconds }: RollPicture): Markup {
  return html`<h3>Healthy tasks of each service, and the least that it may have</h3>
<div class="rows">${joined(services.map((service) => serviceRow(service, seconds)))}</div>`;
}

function serviceRow({ name, desired, least, points }: ServiceCourse, seconds: number): Markup {
  const most = Math.max(1, desired, ...points.map(({ healthy }) => healthy));
  const y = (count: number) => round(24 - (22 * count) / most);
  const steps = points.map(({ at, healthy }, index) => {
    const to = points[index + 1]?.at ?? seconds;
    return `H${x(at, seconds)}V${y(healthy)}H${x(to, seconds)}`;
  });
  const lowest = Math.min(desired, ...points.map(({ healthy }) => healthy));
  const says = `${desired} wanted, never fewer than ${lowest}, at least ${least} needed`;
  return html`<span class="name" title="${name}">${name}</span>
<svg viewBox="0 0 ${WIDTH} 26" height="26" preserveAspectRatio="none" role="img" aria-label="${name}: ${says}">
<path d="M0 24${steps.join('')}V24Z" fill="var(--serving)" opacity=".3"/>
<path d="M0 ${y(least)}H${WIDTH}" stroke="var(--trouble)" stroke-dasharray="5 4" vector-effect="non-scaling-stroke"/></svg>
<span class="note">${says}</span>`;
}

function instancesIn({ instances, seconds, moments }: RollPicture): Markup {
  const isCrowded = instances.length > MOST_NAMED;
  const height = isCrowded ? 5 : 18;
  const rows = instances.map((each) => instanceRow(each, { seconds, height, isCrowded }));
  return html`<h3>Instances, from launch to end${isCrowded ? `: ${instances.length} of them` : ''}</h3>
<div class="rows">${joined(rows)}${axis(seconds)}${moments.length === 0 ? NOTHING : linesOver(moments, seconds)}</div>
<ul class="legend">${joined(LEGEND.map(([color, text]) => html`<li><i style="background:var(--${color})"></i>${text}</li>`))}</ul>`;
}

const LEGEND: readonly (readonly [color: string, text: string])[] = [
  ['old', 'old, serving'],
  ['draining', 'draining'],
  ['launched', 'launched'],
  ['registered', 'registered with ECS, no task yet'],
  ['serving', 'new, serving'],
];

interface Frame extends Pick<RollPicture, 'seconds'> {
  readonly height: number;
  readonly isCrowded: boolean;
}

function instanceRow({ instanceId, isOld, stretches }: InstanceCourse, frame: Frame): Markup {
  const { seconds, height, isCrowded } = frame;
  const bars = stretches.map(({ phase, from, to }) => {
    const [left, right] = [x(from, seconds), x(to, seconds)];
    const text = `${phase} from ${elapsedText(from)} to ${elapsedText(to)}`;
    return html`<rect x="${left}" y="${isCrowded ? 0 : 3}" width="${round(right - left)}" height="${isCrowded ? 4 : 12}" fill="var(--${colorOf(phase, isOld)})"><title>${instanceId}: ${text}</title></rect>`;
  });
  const name = isCrowded ? '' : `${isOld ? 'old' : 'new'} …${instanceId.slice(-6)}`;
  return html`<span class="name" title="${instanceId}">${name}</span>
<svg viewBox="0 0 ${WIDTH} ${height}" height="${height}" preserveAspectRatio="none" role="img" aria-label="${instanceId}">${joined(bars)}</svg>`;
}

/** A line for each moment through all rows at once: lines in each row would be megabytes. */
function linesOver(moments: readonly Moment[], seconds: number): Markup {
  const lines = moments.map(
    ({ at, isTrouble }) =>
      html`<path d="M${x(at, seconds)} 0V1" stroke="var(--${isTrouble ? 'trouble' : 'faint'})" stroke-dasharray="2 2" vector-effect="non-scaling-stroke"/>`,
  );
  return html`<svg viewBox="0 0 ${WIDTH} 1" class="over" preserveAspectRatio="none" aria-hidden="true">${joined(lines)}</svg>`;
}

function colorOf(phase: InstancePhase, isOld: boolean): string {
  return phase === 'serving' && isOld ? 'old' : phase;
}

function axis(seconds: number): Markup {
  const marks = marksOn(seconds);
  const labels = marks.map((at) => {
    // One near the end would stand out over it.
    const isLast = at / seconds > 0.93;
    return html`<span${new Safe(isLast ? ' class="last"' : '')} style="left:${round((100 * at) / seconds)}%">${elapsedText(at)}</span>`;
  });
  return html`<div class="axis">${joined(labels)}</div>`;
}

function momentIn({ at, text, isTrouble }: Moment): Markup {
  return html`<li class="${isTrouble ? 'trouble' : ''}"><b>${elapsedText(at)}</b>${text}</li>`;
}

function x(at: number, seconds: number): number {
  return round((WIDTH * Math.min(Math.max(at, 0), seconds)) / Math.max(seconds, 1));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
