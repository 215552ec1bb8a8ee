import { useLocation } from 'preact-iso';
import { auditLog, type AuditEntry } from '../../../../contracts/client/index.ts';
import { dayMs } from '../../../../contracts/durations.ts';
import { Act } from '../../parts/act.tsx';
import type { Names } from '../../parts/browser-choices.ts';
import { Page } from '../../parts/card.tsx';
import { endOfDay, startOfDay } from '../../parts/days.ts';
import { useValues, type Filter, type Values } from '../../parts/filters.tsx';
import { List } from '../../parts/list.tsx';
import { addressOf } from '../../parts/places.ts';
import { Read } from '../../parts/read.tsx';
import { Id, Json, Time } from '../../parts/record.tsx';
import { save } from '../../parts/save.ts';
import type { Column } from '../../parts/table.tsx';
import { connection } from '../../service.ts';
import { readActors } from './actors.ts';
import { exported } from './export.ts';
import { words } from './strings.ts';
import { Verify } from './verify.tsx';

const columns: readonly Column<AuditEntry>[] = [
  { name: words.sequence, cell: ({ sequence }) => sequence },
  { name: words.action, cell: ({ action }) => action },
  { name: words.target, cell: ({ target }) => <Id id={target.id} /> },
  {
    name: words.actor,
    cell: ({ actor_type: type, actor_account_id: account, actor_key_id: key }) => (
      <>
        {words.actors[type]} {account !== undefined && <Id id={account} />}{' '}
        {key !== undefined && <Id id={key} />}
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

/** A time as a parameter of this name. Omitted if it is not valid, as of a text that is not a day. */
const parameter = (name: 'since' | 'until', at: Date): Readonly<Record<string, string>> =>
  Number.isNaN(at.getTime()) ? {} : { [name]: at.toISOString() };

type Filters = readonly Filter<AuditEntry>[];

const filters: Filters = [
  { name: 'action', label: words.action },
  { name: 'since', label: words.since, type: 'date' },
  { name: 'until', label: words.until, type: 'date' },
];

/** The filter by actor. One that is in the address can always be chosen, such as a key or somebody who has left the team. */
const byActor = (actors: Names, asked = ''): Filters[number] => ({
  name: 'actor',
  label: words.actor,
  options: asked === '' || Object.hasOwn(actors, asked) ? actors : { ...actors, [asked]: asked },
});

const asked = ({ since = '', until = '', ...others }: Values) => ({
  ...others,
  ...parameter('since', startOfDay(since)),
  ...parameter('until', endOfDay(until)),
});

interface Format {
  readonly label: string;
  readonly type: string;
  /** The part of an answer's text that is appended to the earlier answers. */
  readonly added: (text: string) => string;
}

const formats: Readonly<Record<'jsonl' | 'csv', Format>> = {
  jsonl: { label: words.exportLines, type: 'application/x-ndjson', added: (text) => text },
  // Each answer begins with the names of the columns.
  csv: { label: words.exportTable, type: 'text/csv', added: (text) => text.slice(text.indexOf('\n') + 1) },
};

interface ExportProps {
  readonly format: keyof typeof formats;
  readonly filters: Filters;
}

/** Saves the entries that the filters of the list allow. */
function Export({ format, filters: own }: ExportProps) {
  const values = useValues(own);
  const { label, type, added } = formats[format];
  const saveAll = async () => {
    const texts: string[] = [];
    for await (const text of exported({ ...asked(values), format }))
      texts.push(texts.length === 0 ? text : added(text));
    save(`audit-log.${format}`, type, ...texts);
  };
  return <Act label={label} act={saveAll} />;
}

export const Audit = () => (
  <Read what="actors" read={readActors} everyMs={dayMs}>
    {(actors) => <Log actors={actors} />}
  </Read>
);

function Log({ actors }: { readonly actors: Names | undefined }) {
  const { actor } = useLocation().query;
  const own = actors === undefined ? filters : [...filters, byActor(actors, actor)];
  return (
    <Page
      title={words.audit}
      actions={
        <>
          <Export format="jsonl" filters={own} />
          <Export format="csv" filters={own} />
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
        filters={own}
        empty={words.none}
      />
    </Page>
  );
}
