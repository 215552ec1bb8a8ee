import type { UsageSeries } from '../../../../contracts/client/index.ts';
import { timeText } from '../../parts/record.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { filled } from '../../strings.ts';
import { words } from './strings.ts';

type Point = UsageSeries['points'][number];

const [width, height, foot, side] = [720, 160, 20, 8] as const;
const room = height - foot;

const columns: readonly Column<Point>[] = [
  { name: words.time, cell: ({ t }) => timeText(t) },
  { name: words.value, cell: ({ value }) => value.toLocaleString() },
];

/** A bar chart of a series, also available as a table. */
export const Plot = ({ series }: { readonly series: UsageSeries }) => (
  <figure>
    <Drawing of={series} />
    <details>
      <summary>{words.asTable}</summary>
      <Table
        name={words.metrics[series.metric]}
        items={series.points}
        keyOf={({ t }) => t}
        columns={columns}
      />
    </details>
  </figure>
);

function Drawing({ of: { metric, bucket, points } }: { readonly of: UsageSeries }) {
  const most = Math.max(...points.map(({ value }) => value), 0);
  const [from = '', to = ''] = [points[0], points.at(-1)].map((point) => point && timeText(point.t));
  const says = { metric: words.metrics[metric], bucket: words.buckets[bucket], most: most.toLocaleString() };
  return (
    <svg
      class="plot"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={filled(words.plot, { ...says, from, to })}
    >
      <line class="axis" x1={side} x2={width - side} y1={room} y2={room} />
      <Bars points={points} most={most} />
      <text x={side} y={height - 4}>
        {from}
      </text>
      <text x={width - side} y={height - 4} text-anchor="end">
        {to}
      </text>
      <text x={side} y={12}>
        {says.most}
      </text>
    </svg>
  );
}

function Bars({ points, most }: { readonly points: readonly Point[]; readonly most: number }) {
  const step = (width - 2 * side) / Math.max(points.length, 1);
  const heightOf = (value: number): number => (most === 0 ? 0 : (value / most) * (room - foot));
  return points.map(({ t, value }, index) => (
    <rect
      key={t}
      x={side + index * step}
      y={room - heightOf(value)}
      width={Math.max(step - 1, 1)}
      height={heightOf(value)}
    >
      <title>{`${timeText(t)}: ${value.toLocaleString()}`}</title>
    </rect>
  ));
}
