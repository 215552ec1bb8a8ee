import { useMemo } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { agents, sessions, type AgentSession } from '../../../../contracts/client/index.ts';
import { Act } from '../../parts/act.tsx';
import { Page } from '../../parts/card.tsx';
import { History } from '../../parts/history.tsx';
import { PhoneView } from '../../parts/phone/phone-view.tsx';
import { Phone } from '../../parts/phone/phone.ts';
import { pageLines } from '../../parts/phone/page-lines.ts';
import { Read } from '../../parts/read.tsx';
import { Facts, Id, Time } from '../../parts/record.tsx';
import { connection } from '../../service.ts';
import { filled } from '../../strings.ts';
import { AgentStatus, tokensOf } from './agent-status.tsx';
import { ModeSwitch, StopAndGo } from './control.tsx';
import { Conversation } from './conversation.ts';
import { Talk } from './talk.tsx';
import { Files } from './files.tsx';
import { LinksToHandOn } from './links.tsx';
import { SaveAsRecipe } from './recipe.tsx';
import { words } from './strings.ts';

const service = agents(connection);

/** One agent session: a conversation beside a phone. */
export function AgentPage() {
  const { id = '' } = useRoute().params;
  const conversation = useMemo(() => new Conversation(id), [id]);
  const phone = useMemo(() => phoneOf(id), [id]);
  return (
    <Read what={id} read={() => service.get(id)}>
      {(session) => <Open session={session} conversation={conversation} phone={phone} />}
    </Read>
  );
}

const phoneOf = (id: string): Phone =>
  new Phone({
    ticket: () => service.videoToken(id),
    mayTouch: true,
    letTakeOver: () => service.mode(id, { mode: 'pair' }),
  });

interface OpenProps {
  readonly session: AgentSession;
  readonly conversation: Conversation;
  readonly phone: Phone;
}

function Open({ session, conversation, phone }: OpenProps) {
  const { id } = session;
  const isClosed = session.status === 'closed';
  return (
    <Page title={words.agent} actions={<Actions session={session} />}>
      <What session={session} />
      {!isClosed && <ModeSwitch session={session} />}
      {session.status === 'paused' && <p role="status">{words.challenged}</p>}
      <div class="conversation">
        <Talk
          conversation={conversation}
          isClosed={isClosed}
          length={session.transcript_length}
          progress={progressOf(phone)}
          soFar={phone.turn.value?.steps}
        >
          <StopAndGo
            session={session}
            isWorking={conversation.isUnderWay.value || phone.turn.value !== null}
          />
        </Talk>
        {!isClosed && <Beside session={session} phone={phone} />}
      </div>
      {!isClosed && <Files id={id} />}
      {!isClosed && <LinksToHandOn id={id} />}
      <History read={(asked) => service.past(id, asked)} />
    </Page>
  );
}

/** In mode `ai` the first message starts the browser; in other modes, the first person who joins does. */
function Beside({ session, phone }: Omit<OpenProps, 'conversation'>) {
  const { service_session_id: browser, mode } = session;
  if (browser === null && mode === 'ai') return <p class="empty">{words.noPhone}</p>;
  const readPage = browser === null ? undefined : () => pageLines(sessions(connection), browser);
  return <PhoneView phone={phone} readPage={readPage} />;
}

function progressOf({ turn: { value: turn } }: Phone): string | undefined {
  if (turn === null) return undefined;
  const { round, settled, intents } = turn;
  return filled(words.workingOn, { round, settled, intents });
}

const Actions = ({ session: { id, status } }: Pick<OpenProps, 'session'>) => (
  <>
    <SaveAsRecipe id={id} />
    {status !== 'closed' && (
      <Act
        label={words.end}
        kind="danger"
        question={{ title: words.endTitle, text: words.endText, confirm: words.end }}
        act={async () => void (await service.close(id))}
      />
    )}
  </>
);

const reasons: Readonly<Record<string, string>> = words.closedReasons;

const What = ({ session }: Pick<OpenProps, 'session'>) => (
  <Facts
    of={[
      [words.id, <Id id={session.id} isHere />],
      [words.status, <AgentStatus status={session.status} />],
      [
        words.closedBecause,
        session.closed_reason && (reasons[session.closed_reason] ?? session.closed_reason),
      ],
      [words.browser, session.service_session_id && <Id id={session.service_session_id} />],
      [words.model, session.model],
      [words.tokens, tokensOf(session)],
      [words.created, <Time at={session.created_at} />],
      [words.lastFailure, session.error_event?.summary],
    ]}
  />
);
