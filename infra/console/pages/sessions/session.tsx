import { useRoute } from 'preact-iso';
import { sessions, type Session } from '../../../../contracts/client/index.ts';
import { Act } from '../../parts/act.tsx';
import { Page } from '../../parts/card.tsx';
import { History } from '../../parts/history.tsx';
import { Read } from '../../parts/read.tsx';
import { Facts, Id, Json, Time } from '../../parts/record.tsx';
import { connection } from '../../service.ts';
import { Browser } from './browser.tsx';
import { SessionStatus } from './session-status.tsx';
import { words } from './strings.ts';
import { Timeline } from './timeline.tsx';
import { Watch } from './watch.tsx';

const service = sessions(connection);
const changedBy = ['session.completed', 'session.failed'];

/** One session: facts, browser, operations and history. */
export function SessionPage() {
  const { id = '' } = useRoute().params;
  return (
    <Read what={id} read={() => service.get(id)} changedBy={changedBy}>
      {(session) => (
        <Page title={session.label || words.session} actions={isOver(session) ? null : <End id={id} />}>
          <What session={session} />
          {!isOver(session) && <Browser id={id} />}
          <Timeline id={id} />
          <History read={(asked) => service.past(id, asked)} />
          {!isOver(session) && <Watch id={id} />}
        </Page>
      )}
    </Read>
  );
}

const isOver = ({ status }: Session): boolean => status === 'destroyed' || status === 'errored';

const End = ({ id }: { readonly id: string }) => (
  <Act
    label={words.end}
    kind="danger"
    question={{ title: words.endTitle, text: words.endText, confirm: words.end }}
    act={() => service.destroy(id)}
  />
);

const reasons: Readonly<Record<string, string>> = words.endedReasons;

const What = ({ session }: { readonly session: Session }) => (
  <Facts
    of={[
      [words.id, <Id id={session.id} isHere />],
      [words.status, <SessionStatus status={session.status} />],
      [words.archetype, session.archetype],
      [words.profile, session.profile_id && <Id id={session.profile_id} />],
      [words.created, <Time at={session.created_at} />],
      [words.ready, session.ready_at && <Time at={session.ready_at} />],
      [words.ended, session.destroyed_at && <Time at={session.destroyed_at} />],
      [words.endedReason, session.ended_reason && (reasons[session.ended_reason] ?? session.ended_reason)],
      [words.expires, !isOver(session) && session.expires_at && <Time at={session.expires_at} />],
      [words.metadata, Object.keys(session.metadata).length > 0 && <Json value={session.metadata} />],
    ]}
  />
);
