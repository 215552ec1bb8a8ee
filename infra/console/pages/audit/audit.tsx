import { auditLog, type AuditEntry } from '../../../../contracts/client/index.ts';
import { Page } from '../../parts/card.tsx';
import type { Filter } from '../../parts/filters.tsx';
import { List } from '../../parts/list.tsx';
import { addressOf } from '../../parts/places.ts';
import { Id, Json, Time } from '../../parts/record.tsx';
import type { Column } from '../../parts/table.tsx';
import { connection } from '../../service.ts';
import { words } from './strings.ts';
import { Verify } from './verify.tsx';

const columns: readonly Column<AuditEntry>[] = [
  { name: words.sequence, cell: ({ sequence }) => sequence },
  { name: words.action, cell: ({ action }) => action },
  { name: words.target, cell: ({ target }) => <Id id={target.id} /> },
  {
    name: words.actor,
    cell: ({ actor_type: type, actor_key_id: key }) => (
      <>
        {words.actors[type]} {key !== undefined && <Id id={key} />}
      </>
    ),
    isMinor: true,
  },
  { name: words.at, cell: ({ created_at }) => <Time at={created_at} /> },
  {
    name: words.more,
    cell: (entry) => (
      <details>
        <summary>{words.details}</summary>
        <Json value={entry} />
      </details>
    ),
    isMinor: true,
  },
];

const dayOf = (date: string): string => new Date(`${date}T00:00`).toISOString();

const filters: readonly Filter<AuditEntry>[] = [
  { name: 'action', label: words.action },
  { name: 'since', label: words.since, type: 'date' },
  { name: 'until', label: words.until, type: 'date' },
];

type Values = Readonly<Record<string, string>>;

const asked = ({ since, until, ...others }: Values) => ({
  ...others,
  ...(since === undefined ? {} : { since: dayOf(since) }),
  ...(until === undefined ? {} : { until: dayOf(until) }),
});

const exported = (format: 'csv' | 'jsonl'): string => `/v1/account/audit-log/export?format=${format}`;

export const Audit = () => (
  <Page
    title={words.audit}
    actions={
      <>
        <a href={exported('jsonl')} download="audit-log.jsonl">
          {words.exportLines}
        </a>
        <a href={exported('csv')} download="audit-log.csv">
          {words.exportTable}
        </a>
      </>
    }
  >
    <Verify />
    <List
      name={words.log}
      read={(page, values) => auditLog(connection).list({ ...page, ...asked(values) })}
      keyOf={({ id }) => id}
      columns={columns}
      hrefOf={({ request_id: request }) =>
        request === null ? undefined : addressOf(`/requests/${encodeURIComponent(request)}`)
      }
      filters={filters}
      empty={words.none}
    />
  </Page>
);
