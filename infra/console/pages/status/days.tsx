import type { StatusUptime } from '../../../../contracts/client/index.ts';
import { Table, type Column } from '../../parts/table.tsx';
import { filled } from '../../strings.ts';
import { words } from './strings.ts';

type Day = StatusUptime['days'][number];

const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const dateText = ({ date }: Day): string => format.format(new Date(date));

const upText = ({ uptime_percent: percent, probes }: Day): string =>
  probes === 0 ? words.notProbed : filled(words.up, { percent, probes: probes.toLocaleString() });

const columns: readonly Column<Day>[] = [
  { name: words.day, cell: dateText },
  { name: words.uptime, cell: upText },
];

interface DaysProps {
  readonly days: readonly Day[];
  /** In percent. */
  readonly target: number;
}

/** A bar for each day, also available as a table. */
export const Days = ({ days, target }: DaysProps) => (
  <figure>
    <Drawing days={days} target={target} />
    <p class="scale" aria-hidden="true">
      <span>{days[0] && dateText(days[0])}</span>
      <span>{words.today}</span>
    </p>
    <details>
      <summary>{words.asTable}</summary>
      <Table name={words.byDay} items={days} keyOf={({ date }) => date} columns={columns} />
    </details>
  </figure>
);

/** Height of the bar by the day's result, so that the result is visible without the colour. */
const heights = { met: 40, missed: 20, unknown: 4 } as const;
type Kind = keyof typeof heights;

const kindOf = ({ probes, uptime_percent: percent }: Day, target: number): Kind =>
  probes === 0 ? 'unknown' : percent >= target ? 'met' : 'missed';

/** Width of a day in the drawing's own units; it is stretched to the width of the page. */
const STEP = 8;

function Drawing({ days, target }: DaysProps) {
  const kinds = days.map((day) => kindOf(day, target));
  const count = (kind: Kind): number => kinds.filter((each) => each === kind).length;
  const says = { days: days.length, met: count('met'), missed: count('missed'), unknown: count('unknown') };
  return (
    <svg
      class="days"
      viewBox={`0 0 ${days.length * STEP} ${heights.met}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={filled(words.days, says)}
    >
      {days.map((day, index) => (
        <Bar key={day.date} day={day} kind={kindOf(day, target)} x={index * STEP} />
      ))}
    </svg>
  );
}

interface BarProps {
  readonly day: Day;
  readonly kind: Kind;
  readonly x: number;
}

const Bar = ({ day, kind, x }: BarProps) => (
  <rect class={kind} x={x} y={heights.met - heights[kind]} width={STEP - 2} height={heights[kind]}>
    <title>{`${dateText(day)}: ${upText(day)}`}</title>
  </rect>
);
