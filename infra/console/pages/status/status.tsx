import { useSignal } from '@preact/signals';
import {
  status,
  type PublicStatus,
  type StatusIncident,
  type StatusUptime,
} from '../../../../contracts/client/index.ts';
import { Page } from '../../parts/card.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { addressOf } from '../../parts/places.ts';
import { Read } from '../../parts/read.tsx';
import { Status, Time, type Tone } from '../../parts/record.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { open } from '../../service.ts';
import { filled } from '../../strings.ts';
import { Days } from './days.tsx';
import { IncidentFacts } from './incident.tsx';
import { words } from './strings.ts';

const service = status(open);

type Component = PublicStatus['components'][number];

const tones: Readonly<Record<Component['status'], Tone>> = {
  operational: 'good',
  degraded_performance: 'busy',
  partial_outage: 'bad',
  major_outage: 'bad',
};

const columns: readonly Column<Component>[] = [
  { name: words.component, cell: ({ name }) => name },
  {
    name: words.state,
    cell: ({ status: state }) => <Status tone={tones[state]} word={words.states[state]} />,
  },
];

/** State of the service, public; answered from memory even while all stores are down. */
export const StatusPage = () => (
  <Page title={words.status} actions={<a href="/v1/status/feed.atom">{words.feed}</a>}>
    <Read what="status" read={() => service.get()}>
      {({ status: { description }, components, incidents, updated_at }) => (
        <>
          <p>
            <strong>{description}</strong>
          </p>
          <p class="hint">
            {words.updated} <Time at={updated_at} />
          </p>
          <Table name={words.status} items={components} keyOf={({ id }) => id} columns={columns} />
          <Uptime />
          <h2>{words.incidents}</h2>
          {incidents.length === 0 ? (
            <p>{words.none}</p>
          ) : (
            incidents.map((incident) => <Incident key={incident.id} of={incident} />)
          )}
        </>
      )}
    </Read>
    <Subscribe />
  </Page>
);

const Uptime = () => (
  <Read what="sla" read={() => service.sla()} everyMs={60_000}>
    {({ windows, days }) => (
      <>
        <ul>
          {windows.map((window) => (
            <li key={window.days}>{uptimeText(window)}</li>
          ))}
          {windows[0] && <li>{filled(words.target, { percent: windows[0].target_percent })}</li>}
        </ul>
        {windows[0] && <Days days={days} target={windows[0].target_percent} />}
      </>
    )}
  </Read>
);

const uptimeText = ({
  days,
  uptime_percent: percent,
  probes,
  incidents,
}: StatusUptime['windows'][number]): string =>
  probes === 0
    ? filled(words.noProbes, { days })
    : filled(words.probes, { days, percent, probes: probes.toLocaleString(), incidents });

const Incident = ({ of: incident }: { readonly of: StatusIncident }) => (
  <article class="incident">
    <h3>
      <a href={addressOf(`/status/incidents/${incident.id}`)}>{incident.title}</a>
    </h3>
    <IncidentFacts of={incident} />
  </article>
);

function Subscribe() {
  const email = useSignal('');
  const isSent = useSignal(false);
  const subscribe = async () => {
    await service.subscribe({ email: email.value });
    isSent.value = true;
  };
  return (
    <section>
      <h2>{words.subscribeTitle}</h2>
      {isSent.value ? (
        <p role="status">{words.sent}</p>
      ) : (
        <Form submit={words.subscribe} onSubmit={subscribe}>
          <Field label={words.email} value={email} type="email" autocomplete="email" />
        </Form>
      )}
    </section>
  );
}
