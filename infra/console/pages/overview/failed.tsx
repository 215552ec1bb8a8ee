import { auditLog, type AuditEntry } from '../../../../contracts/client/index.ts';
import { dayMs } from '../../../../contracts/durations.ts';
import { placeOf } from '../../parts/places.ts';
import { Read } from '../../parts/read.tsx';
import { Time, shortId } from '../../parts/record.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { connection } from '../../service.ts';
import { words } from './strings.ts';

const WEEK_MS = 7 * dayMs;
const SHOWN = 10;

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

const columns: readonly Column<AuditEntry>[] = [
  { name: words.session, cell: ({ target: { id } }) => <code title={id}>{shortId(id)}</code> },
  {
    name: words.why,
    cell: ({ payload }) => <code>{textIn(payload.error_name) || textIn(payload.reason)}</code>,
  },
  { name: words.when, cell: ({ created_at }) => <Time at={created_at} /> },
];

async function failures(): Promise<readonly AuditEntry[]> {
  const since = new Date(Date.now() - WEEK_MS).toISOString();
  const filter = { action: 'session.errored', since, limit: SHOWN };
  const { value } = await auditLog(connection).list(filter).byPage().next();
  return value?.data ?? [];
}

/** Sessions that failed, from the audit log. */
export const Failed = () => (
  <section>
    <h2>{words.failed}</h2>
    <Read what={words.failed} read={failures} changedBy={['session.failed']}>
      {(entries) =>
        entries.length === 0 ? (
          <p>{words.noneFailed}</p>
        ) : (
          <>
            <p class="hint">{words.failedHint}</p>
            <Table
              name={words.failed}
              items={entries}
              keyOf={({ id }) => id}
              columns={columns}
              hrefOf={({ target }) => placeOf(target.id)}
            />
          </>
        )
      }
    </Read>
  </section>
);
