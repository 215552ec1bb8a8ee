import { useSignal } from '@preact/signals';
import { status, type StatusIncident } from '../../../../contracts/client/index.ts';
import { addressOf } from '../../parts/places.ts';
import { Read } from '../../parts/read.tsx';
import { timeText } from '../../parts/record.tsx';
import { connection } from '../../service.ts';
import { filled } from '../../strings.ts';
import { words } from './strings.ts';

const READ = 'console.read_incidents';
const EVERY_MS = 60_000;

/** An incident is unread again with each update. */
const stateOf = ({ id, updates }: StatusIncident): string => `${id} ${updates.length}`;

const readStates = (): readonly string[] => JSON.parse(localStorage.getItem(READ) ?? '[]') as string[];

/** Unread incidents of the service. */
export function Incidents() {
  const read = useSignal(readStates());
  const mark = (all: readonly StatusIncident[], incident: StatusIncident) => {
    // Incidents that are no longer listed are forgotten.
    const shown = new Set(all.map(stateOf));
    read.value = [...read.value.filter((state) => shown.has(state)), stateOf(incident)];
    localStorage.setItem(READ, JSON.stringify(read.value));
  };
  return (
    <Read what={words.incidents} read={() => status(connection).get()} everyMs={EVERY_MS}>
      {({ incidents }) => {
        const unread = incidents.filter((incident) => !read.value.includes(stateOf(incident)));
        return unread.length === 0 ? null : (
          <section>
            <h2>{words.incidents}</h2>
            {unread.map((incident) => (
              <Incident key={incident.id} incident={incident} onRead={() => mark(incidents, incident)} />
            ))}
          </section>
        );
      }}
    </Read>
  );
}

interface IncidentProps {
  readonly incident: StatusIncident;
  readonly onRead: () => void;
}

const Incident = ({
  incident: { id, title, impact, status: state, created_at, updates },
  onRead,
}: IncidentProps) => (
  <article class="incident">
    <h3>
      <a href={addressOf(`/status/incidents/${id}`)}>{title}</a>
    </h3>
    <p class="hint">{`${impact}, ${state}, ${filled(words.incidentSince, { time: timeText(created_at) })}`}</p>
    <p>{updates[0]?.message}</p>
    <button type="button" class="quiet" onClick={onRead}>
      {words.markRead}
    </button>
  </article>
);
