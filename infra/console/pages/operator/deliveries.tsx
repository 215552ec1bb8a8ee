import type { OperatorStuck } from '../../../../contracts/operator.ts';
import { Act } from '../../parts/act.tsx';
import { Page } from '../../parts/card.tsx';
import { Read } from '../../parts/read.tsx';
import { Facts, Id, Time, durationText } from '../../parts/record.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { filled } from '../../strings.ts';
import { service } from './service.ts';
import { words } from './strings.ts';

type Late = OperatorStuck['late'][number];
type Dead = OperatorStuck['dead'][number];
type Failing = OperatorStuck['failing'][number];

const common: readonly Column<Late | Dead>[] = [
  { name: words.delivery, cell: ({ id }) => <Id id={id} /> },
  { name: words.endpoint, cell: ({ endpoint_id }) => <Id id={endpoint_id} />, isMinor: true },
  { name: words.event, cell: ({ event_type }) => event_type },
  { name: words.tries, cell: ({ attempt_count }) => attempt_count },
];

const late: readonly Column<Late>[] = [
  ...common,
  { name: words.due, cell: ({ next_attempt_at }) => <Time at={next_attempt_at} /> },
];

const dead: readonly Column<Dead>[] = [
  ...common,
  { name: words.created, cell: ({ created_at }) => <Time at={created_at} />, isMinor: true },
  {
    name: words.do,
    cell: ({ id }) => <Act label={words.sendAgain} act={async () => void (await service.requeue(id))} />,
  },
];

const failing: readonly Column<Failing>[] = [
  { name: words.endpoint, cell: ({ id }) => <Id id={id} /> },
  { name: words.account, cell: ({ account_id }) => <Id id={account_id} />, isMinor: true },
  { name: words.inARow, cell: ({ consecutive_failures }) => consecutive_failures },
  { name: words.address, cell: ({ url }) => <code>{url}</code> },
];

interface SectionProps<Item> {
  readonly name: string;
  readonly items: readonly Item[];
  readonly columns: readonly Column<Item>[];
  readonly none: string;
}

const Section = <Item extends { readonly id: string }>({
  name,
  items,
  columns,
  none,
}: SectionProps<Item>) => (
  <section>
    <h2>{name}</h2>
    {items.length === 0 ? (
      <p>{none}</p>
    ) : (
      <Table name={name} items={items} keyOf={({ id }) => id} columns={columns} />
    )}
  </section>
);

/** Overdue and dead deliveries, and failing endpoints. */
export const Deliveries = () => (
  <Page title={words.deliveries}>
    <Read what="deliveries" read={() => service.stuck()}>
      {({ open, overdue, oldest_due_seconds: oldest, ...of }) => (
        <>
          <Facts
            of={[
              [words.open, String(open)],
              [words.overdue, String(overdue)],
              [words.oldest, oldest > 0 && filled(words.ago, { time: durationText(oldest * 1_000) })],
            ]}
          />
          <Section name={words.late} items={of.late} columns={late} none={words.noLate} />
          <Section name={words.dead} items={of.dead} columns={dead} none={words.noDead} />
          <Section name={words.failing} items={of.failing} columns={failing} none={words.noFailing} />
        </>
      )}
    </Read>
  </Page>
);
