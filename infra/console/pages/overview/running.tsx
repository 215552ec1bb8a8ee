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

/** Maximal number of sessions that are read; the page says if there are more. */
const LOOKED_AT = 100;
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

async function newest() {
  const { value } = await sessions(connection).list({ limit: LOOKED_AT }).byPage().next();
  return { all: value?.data ?? [], isWhole: (value?.nextCursor ?? null) === null };
}

/** Running sessions; first steps for an account that has never had one. */
export const Running = () => (
  <Read what={words.running} read={newest} changedBy={['session.completed', 'session.failed']}>
    {({ all, isWhole }) => (all.length === 0 ? <Beginning /> : <Shown all={all} isWhole={isWhole} />)}
  </Read>
);

function Shown({ all, isWhole }: { readonly all: readonly Session[]; readonly isWhole: boolean }) {
  const running = all.filter(({ status }) => status in tones);
  const text = running.length > 0 && !isWhole ? words.runningMore : words.runningCount;
  return (
    <section>
      <h2>{words.running}</h2>
      <p>{running.length === 0 ? words.noneRuns : filled(text, { count: running.length })}</p>
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
