import type { UsageSeries } from '../../../../contracts/client/index.ts';
import { timeText } from '../../parts/record.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { filled } from '../../strings.ts';
import { words } from './strings.ts';

type Point = UsageSeries['points'][number];

/** The drawing's own units: it is stretched to the width of the page, and its texts are beside it. */
const [width, height] = [720, 120] as const;

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
    <>
      <p class="scale" aria-hidden="true">
        {says.most}
      </p>
      <svg
        class="plot"
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={filled(words.plot, { ...says, from, to })}
      >
        <Bars points={points} most={most} />
      </svg>
      <p class="scale" aria-hidden="true">
        <span>{from}</span>
        <span>{to}</span>
      </p>
    </>
  );
}

function Bars({ points, most }: { readonly points: readonly Point[]; readonly most: number }) {
  const step = width / Math.max(points.length, 1);
  const heightOf = (value: number): number => (most === 0 ? 0 : (value / most) * height);
  return points.map(({ t, value }, index) => (
    <rect
      key={t}
      x={index * step}
      y={height - heightOf(value)}
      width={Math.max(step - 1, 1)}
      height={heightOf(value)}
    >
      <title>{`${timeText(t)}: ${value.toLocaleString()}`}</title>
    </rect>
  ));
}
