import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { filled } from '../../strings.ts';
import { Act } from '../act.tsx';
import { Status, type Tone } from '../record.tsx';
import { Trouble } from '../trouble.tsx';
import type { LinkState } from './link.ts';
import { PageDialog } from './page-dialog.tsx';
import type { Phone } from './phone.ts';
import { Screen, driveHint } from './screen.tsx';
import { words } from './strings.ts';

interface PhoneViewProps {
  readonly phone: Phone;
  /** Reads the page's headings, links, buttons and texts. */
  readonly readPage?: (() => Promise<readonly string[]>) | undefined;
}

/** A phone: its interactive picture, and its state in words. */
export function PhoneView({ phone, readPage }: PhoneViewProps) {
  const turn = useSignal(0);
  return (
    <section class="phone" aria-label={words.phone}>
      {phone.options.mayTouch && <Controls phone={phone} />}
      <PageDialog phone={phone} />
      <Screen key={turn.value} phone={phone} />
      <Met phone={phone} />
      <Quality phone={phone} />
      <Over phone={phone} again={() => (turn.value += 1)} />
      {phone.drives.value && <Tools phone={phone} />}
      <PageAsText phone={phone} readPage={readPage} />
    </section>
  );
}

interface Part {
  readonly phone: Phone;
}

const takeOverKey = { key: 't', says: words.keyTakeOver };

/** Who has control, and the button that takes it. */
function Controls({ phone }: Part) {
  const control = phone.control.value;
  const isOurs = control?.pair?.kind === 'human-driving' && phone.isOurs.value;
  return (
    <div class="controls">
      <div class="buttons">
        {phone.mayTakeOver.value && (
          <Act label={words.takeOver} kind="main" act={() => phone.takeOver()} shortcut={takeOverKey} />
        )}
        {isOurs && <Act label={words.giveBack} act={async () => phone.giveBack()} />}
        <span role="status">{whoDrives(phone)}</span>
        {phone.isOurs.value && <span>{filled(words.left, { seconds: phone.secondsLeft.value })}</span>}
      </div>
      {phone.refused.value !== '' && (
        <p class="refused" role="alert">
          {phone.refused.value}
        </p>
      )}
    </div>
  );
}

function whoDrives(phone: Phone): string {
  const { driving } = words;
  const control = phone.control.value;
  if (control === undefined) return phone.isLive.value ? driving.none : '';
  if (control.status !== 'active') return driving[control.status];
  if (control.mode === 'manual')
    return control.last_touched_by === null || phone.isTouchedByUs.value ? driving.anybody : driving.touched;
  return control.pair ? inPair(phone, control.pair.kind) : driving.agent;
}

type PairKind = NonNullable<NonNullable<Phone['control']['value']>['pair']>['kind'];

function inPair(phone: Phone, kind: PairKind): string {
  const { driving } = words;
  switch (kind) {
    case 'takeover-pending':
    case 'takeover-queued':
      return phone.isOurs.value ? driving.asking : driving.asked;
    case 'human-driving':
      return phone.isOurs.value ? driving.you : driving.other;
    case 'handback-pending':
    case 'handback-queued':
      return driving.back;
    case 'ai-driving':
      return driving.agent;
  }
}

/** The element that the agent touched last. */
const Met = ({ phone: { met } }: Part) => (
  <p class="met hint" role="status">
    {met.value && filled(words.met, { role: met.value.role, text: met.value.text })}
  </p>
);

const tones: Readonly<Record<LinkState, Tone>> = {
  off: 'over',
  connecting: 'wait',
  live: 'good',
  pictures: 'good',
  again: 'bad',
  over: 'over',
};

/** Picture quality, with a note if the picture stalls. */
function Quality({ phone }: Part) {
  const state = phone.link.state.value;
  if (state === 'over') return null;
  const { frames, ageMs } = phone.pace.value;
  const seconds = Math.round(ageMs / 1_000);
  const roundTrip = phone.roundTripMs.value;
  // One frame per second, and the browser reports that it draws no more.
  const isStill = phone.sent.value <= 1 && frames <= 1;
  return (
    <>
      <p class="quality hint">
        <Status tone={tones[state]} word={words.states[state]} />
        {phone.isLive.value && (
          <>
            <span>{isStill ? words.still : filled(words.pace, { frames })}</span>
            <span>{filled(words.age, { seconds })}</span>
            {roundTrip !== undefined && <span>{filled(words.roundTrip, { ms: Math.round(roundTrip) })}</span>}
          </>
        )}
      </p>
      {phone.isStalled.value && <p role="alert">{words.stalled}</p>}
      {phone.hasNoPicture.value && <p role="alert">{words.noPicture}</p>}
    </>
  );
}

/** Why the picture ended, and the button that reconnects. */
function Over({ phone, again }: Part & { readonly again: () => void }) {
  const why = phone.link.why.value;
  if (phone.link.state.value !== 'over' || why === undefined) return null;
  if ('error' in why) return <Trouble error={why.error} again={again} />;
  return (
    <div class="trouble" role="alert">
      <p>{'ended' in why ? words.why[why.ended] : filled(words.why.refused, { why: why.refused })}</p>
      {!('ended' in why && why.ended === 'ended') && (
        <button type="button" class="quiet" onClick={again}>
          {words.watchHere}
        </button>
      )}
    </div>
  );
}

/** Tools of the person in control, besides the picture. */
function Tools({ phone }: Part) {
  const said = useSignal('');
  const text = phone.clipboard.value;
  useEffect(() => {
    if (text === undefined) return;
    said.value = text === '' ? words.nothingToCopy : '';
    if (text === '') return;
    navigator.clipboard.writeText(text).then(
      () => (said.value = filled(words.copied, { count: text.length })),
      // If the browser refuses it, the shown text can be copied.
      () => undefined,
    );
  }, [text]);
  const type = () => document.querySelector<HTMLElement>('.screen textarea')?.focus();
  return (
    <div class="tools">
      <div class="buttons">
        <button type="button" class="quiet" onClick={type}>
          {words.keyboard}
        </button>
        <button type="button" class="quiet" onClick={() => phone.copy()}>
          {words.copy}
        </button>
        <span role="status">{said.value}</span>
      </div>
      {text !== undefined && text !== '' && (
        <pre tabIndex={0} aria-label={words.copiedText}>
          {text}
        </pre>
      )}
      <p class="hint" id={driveHint}>
        {words.driveHint}
      </p>
    </div>
  );
}

/** The page as text, for people who cannot see the picture. */
function PageAsText({ phone, readPage }: PhoneViewProps) {
  const lines = useSignal<readonly string[] | undefined>(undefined);
  const page = phone.page.value;
  const read = async () => {
    lines.value = await readPage?.();
  };
  return (
    <details class="page-text">
      <summary>{words.page}</summary>
      {page && (
        <p>
          <strong dir="auto">{page.title || words.untitled}</strong>
          {` (${words.pageStates[page.state]}) `}
          <code>{page.url}</code>
        </p>
      )}
      {page?.keyboard && <p>{filled(words.fieldInFocus, { kind: page.keyboard.kind })}</p>}
      {readPage && <Act label={words.readPage} act={read} />}
      {lines.value?.length === 0 && <p>{words.emptyPage}</p>}
      <ul>
        {lines.value?.map((line, index) => (
          <li key={index} dir="auto">
            {line}
          </li>
        ))}
      </ul>
    </details>
  );
}
