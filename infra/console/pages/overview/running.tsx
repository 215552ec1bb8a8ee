import { useLocation } from 'preact-iso';
import { sessions, type Session } from '../../../../contracts/client/index.ts';
import { Act } from '../../parts/act.tsx';
import { addressOf, placeOf } from '../../parts/places.ts';
import { Read } from '../../parts/read.tsx';
import { Status, Time, shortId, type Tone } from '../../parts/record.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { connection } from '../../service.ts';
import { filled } from '../../strings.ts';
import { words } from './strings.ts';

/** Sessions per page of the list, and pages that are read at most to find a running one. The text says if there are more. */
const LIMIT = 100;
const MOST_PAGES = 5;
const SHOWN = 10;

const tones: Readonly<Partial<Record<Session['status'], Tone>>> = {
  creating: 'wait',
  ready: 'good',
  busy: 'busy',
};

const columns: readonly Column<Session>[] = [
  { name: words.session, cell: ({ id }) => <code title={id}>{shortId(id)}</code> },
  {
    name: words.status,
    cell: ({ status }) => <Status tone={tones[status] ?? 'over'} word={words.statuses[status]} />,
  },
  { name: words.label, cell: ({ label }) => label },
  { name: words.since, cell: ({ created_at }) => <Time at={created_at} />, isMinor: true },
];

const isRunning = ({ status }: Session): boolean => status in tones;

interface Newest {
  readonly all: readonly Session[];
  /** Whether the account has no older ones. */
  readonly isWhole: boolean;
}

/** The newest sessions, up to the page with a running one. */
async function newest(): Promise<Newest> {
  const all: Session[] = [];
  let pages = 0;
  for await (const { data, nextCursor } of sessions(connection).list({ limit: LIMIT }).byPage()) {
    all.push(...data);
    pages += 1;
    if (nextCursor === null) return { all, isWhole: true };
    if (pages === MOST_PAGES || data.some(isRunning)) break;
  }
  return { all, isWhole: false };
}

/** Running sessions; first steps for an account that has never had one. */
export const Running = () => (
  <Read what={words.running} read={newest} changedBy={['session.completed', 'session.failed']}>
    {({ all, isWhole }) => (all.length === 0 ? <Beginning /> : <Shown all={all} isWhole={isWhole} />)}
  </Read>
);

function Shown({ all, isWhole }: Newest) {
  const running = all.filter(isRunning);
  const some = filled(isWhole ? words.runningCount : words.runningMore, { count: running.length });
  const none = isWhole ? words.noneRuns : filled(words.noneOfNewest, { count: all.length });
  return (
    <section>
      <h2>{words.running}</h2>
      <p>{running.length === 0 ? none : some}</p>
      {running.length > 0 && (
        <Table
          name={words.running}
          items={running.slice(0, SHOWN)}
          keyOf={({ id }) => id}
          columns={columns}
          hrefOf={({ id }) => placeOf(id)}
        />
      )}
      <p>
        <a href={addressOf('/sessions')}>{words.allSessions}</a>
      </p>
    </section>
  );
}

function Beginning() {
  const { route } = useLocation();
  const start = async () => {
    const { id } = await sessions(connection).create();
    route(addressOf(`/sessions/${id}`));
  };
  return (
    <section>
      <h2>{words.threeThings}</h2>
      <ul class="things">
        <li>
          <Act label={words.start} kind="main" act={start} />
          <p class="hint">{words.startText}</p>
        </li>
        <li>
          <a href={addressOf('/settings/second-factor')}>{words.protect}</a>
          <p class="hint">{words.protectText}</p>
        </li>
        <li>
          <a href="/reference" target="_self">
            {words.reference}
          </a>
          <p class="hint">{words.referenceText}</p>
        </li>
      </ul>
    </section>
  );
}
