import { useEffect } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { requests, type RequestTree } from '../../../../contracts/client/index.ts';
import { Page } from '../../parts/card.tsx';
import { Read } from '../../parts/read.tsx';
import { rememberPlace } from '../../parts/recent.ts';
import { Facts, Id, Status, Time, durationText, shortId, type Tone } from '../../parts/record.tsx';
import { connection } from '../../service.ts';
import { filled } from '../../strings.ts';
import { words } from './strings.ts';

type Event = RequestTree['events'][number];
type Delivery = RequestTree['deliveries'][number];
type Mail = RequestTree['mails'][number];

/** The events that a request caused, as a tree. */
export function RequestPage() {
  const { id = '' } = useRoute().params;
  const { path } = useLocation();
  return (
    <Read what={id} read={() => requests(connection).get(id)}>
      {(tree) => (
        <Page title={nameOf(tree)}>
          <Remember name={`${words.request} ${shortId(id)}`} href={path} />
          <What request={tree.request} />
          <h2>{words.led}</h2>
          {tree.events.length === 0 ? <p class="empty">{words.nothing}</p> : <Causes tree={tree} />}
          {tree.has_more && <p>{filled(words.more, { count: tree.events.length })}</p>}
          <Deliveries deliveries={tree.deliveries} />
          <Mails mails={tree.mails} />
        </Page>
      )}
    </Read>
  );
}

function Remember(place: { readonly name: string; readonly href: string }) {
  useEffect(() => rememberPlace(place), [place.href]);
  return null;
}

const nameOf = ({ request: { method, path } }: RequestTree): string =>
  method === null || path === null ? words.request : `${method} ${path}`;

const What = ({ request: { id, method, path, status, at, duration_ms } }: Pick<RequestTree, 'request'>) => (
  <Facts
    of={[
      [words.id, <Id id={id} isHere />],
      [words.route, method !== null && `${method} ${path ?? ''}`],
      [
        words.status,
        status === null ? (
          <Status tone="wait" word={words.unanswered} />
        ) : (
          <Status tone={status < 400 ? 'good' : 'bad'} word={String(status)} />
        ),
      ],
      [words.at, <Time at={at} />],
      [words.took, duration_ms !== null && durationText(duration_ms)],
    ]}
  />
);

function Causes({ tree: { events, request } }: { readonly tree: RequestTree }) {
  const known = new Set(events.map(({ id }) => id));
  const below = (cause: string | null) =>
    events.filter((event) => (event.cause !== null && known.has(event.cause) ? event.cause : null) === cause);
  const branch = (event: Event) => (
    <li key={event.id}>
      <Caused event={event} since={request.at} />
      {below(event.id).length > 0 && <ul>{below(event.id).map(branch)}</ul>}
    </li>
  );
  return (
    <>
      <p class="hint">{words.ledHint}</p>
      <ul class="tree">{below(null).map(branch)}</ul>
    </>
  );
}

const Caused = ({
  event: { type, stream, at, by, name = '' },
  since,
}: {
  readonly event: Event;
  readonly since: string;
}) => (
  <>
    <strong>{type}</strong> <code title={stream}>{stream}</code>{' '}
    <span class="hint" title={at}>
      {`${filled(words.after, { time: durationText(Math.max(0, Date.parse(at) - Date.parse(since))) })} ${words.by[by]} ${by === 'request' ? '' : name}`}
    </span>
  </>
);

const tones: Readonly<Record<Delivery['status'] | Mail['status'], Tone>> = {
  pending: 'wait',
  retrying: 'busy',
  delivered: 'good',
  dead_letter: 'bad',
  cancelled: 'over',
  queued: 'wait',
  sent: 'good',
  abandoned: 'bad',
};

const Deliveries = ({ deliveries }: { readonly deliveries: readonly Delivery[] }) =>
  deliveries.length === 0 ? null : (
    <>
      <h2>{words.deliveries}</h2>
      <ul class="tree">
        {deliveries.map(({ id, status, attempts }) => (
          <li key={id}>
            <Id id={id} /> <Status tone={tones[status]} word={words.statuses[status]} />{' '}
            <span class="hint">{filled(words.attempts, { count: attempts.length })}</span>
          </li>
        ))}
      </ul>
    </>
  );

const Mails = ({ mails }: { readonly mails: readonly Mail[] }) =>
  mails.length === 0 ? null : (
    <>
      <h2>{words.mails}</h2>
      <ul class="tree">
        {mails.map(({ id, template, status }) => (
          <li key={id}>
            <code>{template}</code> <Status tone={tones[status]} word={words.statuses[status]} />
          </li>
        ))}
      </ul>
    </>
  );
