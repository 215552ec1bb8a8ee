import { useSignal, type Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { AgentMessage } from '../../../../contracts/client/index.ts';
import { Drafted, useDraft } from '../../parts/drafts.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Time } from '../../parts/record.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { waiting, type Conversation, type Outcome } from './conversation.ts';
import { Came, Done, intentText } from './steps.tsx';
import { words } from './strings.ts';

interface TalkProps {
  readonly conversation: Conversation;
  readonly isClosed: boolean;
  /** Number of entries of the transcript, as last read. */
  readonly length: number;
  /** Progress of the current turn; undefined without one. */
  readonly progress: string | undefined;
  /** Its finished steps, a line each. */
  readonly soFar: readonly string[] | undefined;
  /** Buttons that stop, pause and resume. */
  readonly children: ComponentChildren;
}

/** The conversation, and the box for a message. */
export function Talk({ conversation, isClosed, length, progress, soFar = [], children }: TalkProps) {
  useFollowing(conversation);
  const { broken, failure } = conversation;
  return (
    <section class="talk" aria-labelledby="talk">
      <h2 id="talk">{words.conversation}</h2>
      <Said conversation={conversation} length={length} />
      {broken.value && (
        <>
          <p>{words.transcriptBroken}</p>
          <Trouble error={broken.value.error} again={() => conversation.follow()} />
        </>
      )}
      <p role="status" class="hint">
        {progress ?? (conversation.isWorking.value ? words.working : '')}
      </p>
      {soFar.length > 0 && (
        <ol class="steps" aria-label={words.doneSoFar}>
          {soFar.map((line, index) => (
            <li key={index} dir="auto">
              {line}
            </li>
          ))}
        </ol>
      )}
      {!isClosed && <Approve conversation={conversation} />}
      {failure.value && <Trouble error={failure.value.error} takesFocus />}
      {isClosed ? <p>{words.closed}</p> : <Composer conversation={conversation}>{children}</Composer>}
    </section>
  );
}

/** Follows only while the tab is visible: an account may have ten streams. */
function useFollowing(conversation: Conversation): void {
  useEffect(() => {
    const change = () => (document.hidden ? conversation.rest() : conversation.follow());
    change();
    document.addEventListener('visibilitychange', change);
    return () => {
      document.removeEventListener('visibilitychange', change);
      conversation.rest();
    };
  }, [conversation]);
}

/** Keeps the newest entry, at the bottom, in view unless the user has scrolled up. */
function Said({ conversation, length }: Pick<TalkProps, 'conversation' | 'length'>) {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const entries = conversation.entries.value;
  const outcomes = conversation.outcomes.value;
  useEffect(() => {
    if (isAtEnd.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [entries, outcomes]);
  const outcomeAt = (index: number): Outcome | undefined =>
    outcomes.find(({ length }) => length === index + 1);
  return (
    <div
      class="said"
      role="log"
      aria-label={words.conversation}
      tabIndex={0}
      ref={box}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) =>
        (isAtEnd.current = scrollTop + clientHeight > scrollHeight - 40)
      }
    >
      {entries.length === 0 && <NothingYet isEmpty={length === 0} conversation={conversation} />}
      {entries.map(({ index, entry }) => {
        const outcome = outcomeAt(index);
        return (
          <article key={index} class={entry.role}>
            <p class="hint">
              {`${words.roles[entry.role]} · `}
              <Time at={entry.at} />
            </p>
            <p class="body" dir="auto">
              {entry.body}
            </p>
            {outcome ? <Came answer={outcome.answer} /> : <Done entry={entry} />}
          </article>
        );
      })}
    </div>
  );
}

/** Before the first entry: whether there is none, or it has not been read yet. */
function NothingYet({ isEmpty, conversation }: Pick<TalkProps, 'conversation'> & { isEmpty: boolean }) {
  if (isEmpty) return <p class="hint">{words.nothingSaid}</p>;
  return conversation.broken.value ? null : <Loading />;
}

/** The intents of the last turn of the conversation that need approval, and the button that approves them. */
function Approve({ conversation }: { readonly conversation: Conversation }) {
  const answer = conversation.lastAnswer.value;
  const places = answer === undefined ? [] : waiting(answer);
  if (answer === undefined || !('intents' in answer) || places.length === 0) return null;
  const approvals: AgentMessage['approvals'] = places.map((intent_index) => ({
    intent_index,
    approved: true,
  }));
  return (
    <div class="leave">
      <p>{words.notDone}</p>
      <ul>
        {places.map((place) => {
          const intent = answer.intents?.[place];
          return <li key={place}>{intent && intentText(intent)}</li>;
        })}
      </ul>
      <button
        type="button"
        aria-busy={conversation.isWorking.value}
        onClick={() => void conversation.send(words.allowMessage, approvals)}
      >
        {words.allow}
      </button>
    </div>
  );
}

type ComposerProps = Pick<TalkProps, 'conversation' | 'children'>;

function Composer({ conversation, children }: ComposerProps) {
  const [text, sent] = [useSignal(''), useSignal('')];
  const send = async () => {
    if (text.value.trim() === '' || conversation.isWorking.value) return;
    [sent.value, text.value] = [text.value, ''];
    // A refused message is put back for another try, unless a new one has been typed.
    if (!(await conversation.send(sent.value)) && text.value === '') text.value = sent.value;
    sent.value = '';
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Drafted form={words.send}>
        <MessageBox text={text} sent={sent} send={() => void send()} />
      </Drafted>
      <div class="buttons">
        <button type="submit" aria-busy={conversation.isWorking.value}>
          {words.send}
        </button>
        {children}
      </div>
    </form>
  );
}

interface MessageBoxProps {
  readonly text: Signal<string>;
  /** What is being sent, and may be refused. */
  readonly sent: Signal<string>;
  readonly send: () => void;
}

function MessageBox({ text, sent, send }: MessageBoxProps) {
  const id = useId();
  useDraft(words.message, {
    read: () => text.value || sent.value,
    write: (kept) => (text.value = String(kept)),
  });
  return (
    <div class="field">
      <label for={id}>{words.message}</label>
      <textarea
        id={id}
        rows={3}
        maxLength={20_000}
        aria-describedby={`${id}-hint`}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      <p class="hint" id={`${id}-hint`}>
        {words.messageHint}
      </p>
    </div>
  );
}
