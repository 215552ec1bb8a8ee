import { useEffect, useRef } from 'preact/hooks';
import { layGlass } from './glass.ts';
import type { Phone } from './phone.ts';
import { words } from './strings.ts';

/** Milliseconds for which the person in control may be in another tab. */
const DRIVER_AWAY_MS = 10_000;

/** The picture, the agent's finger over it, and the field that captures input. */
export function Screen({ phone }: { readonly phone: Phone }) {
  const [video, canvas, glass] = [
    useRef<HTMLVideoElement>(null),
    useRef<HTMLCanvasElement>(null),
    useRef<HTMLTextAreaElement>(null),
  ];
  useEffect(() => {
    if (!video.current || !canvas.current) return undefined;
    return whileSeen(phone, { video: video.current, canvas: canvas.current });
  }, [phone]);
  useEffect(() => (glass.current ? layGlass(glass.current, phone) : undefined), [phone]);
  useKeyboard(phone, glass);
  const isPictures = phone.link.state.value === 'pictures';
  return (
    <div class={`screen${phone.isLive.value ? '' : ' still'}`}>
      <video ref={video} autoplay muted playsInline aria-label={words.picture} hidden={isPictures} />
      <canvas ref={canvas} role="img" aria-label={words.picture} hidden={!isPictures} />
      <Finger phone={phone} />
      <textarea
        ref={glass}
        aria-label={words.glass}
        aria-describedby={phone.drives.value ? driveHint : undefined}
        readOnly={!phone.drives.value}
        tabIndex={phone.drives.value ? 0 : -1}
        rows={1}
        {...plain}
      />
    </div>
  );
}

/** Id of the text that explains how to leave the field, because the field takes all keys. */
export const driveHint = 'drive-hint';

/** Local typing aids are off: the text goes to the phone. */
const plain = { autocomplete: 'off', autocorrect: 'off', autocapitalize: 'off', spellcheck: false } as const;

/** Disconnects while the tab is hidden. */
function whileSeen(phone: Phone, on: Parameters<Phone['open']>[0]): () => void {
  let close: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const leave = () => {
    close?.();
    close = undefined;
  };
  const look = () => {
    clearTimeout(timer);
    if (!document.hidden) close ??= phone.open(on);
    else if (phone.drives.value) timer = setTimeout(leave, DRIVER_AWAY_MS);
    else leave();
  };
  look();
  document.addEventListener('visibilitychange', look);
  return () => {
    document.removeEventListener('visibilitychange', look);
    clearTimeout(timer);
    leave();
  };
}

/** Opens the matching on-screen keyboard when a field of the page has the focus. */
function useKeyboard(phone: Phone, glass: { readonly current: HTMLTextAreaElement | null }): void {
  const wanted = phone.page.value?.keyboard;
  const drives = phone.drives.value;
  useEffect(() => {
    const field = glass.current;
    if (field === null) return;
    // Without a focused field, a touch opens no keyboard.
    field.inputMode = wanted ? wanted.inputmode || keyboards[wanted.kind] || 'text' : 'none';
    const isElsewhere = document.activeElement?.matches('input, textarea, select') === true;
    if (wanted && drives && !isElsewhere) field.focus({ preventScroll: true });
  }, [wanted?.kind, wanted?.inputmode, wanted?.box.x, wanted?.box.y, drives]);
}

const keyboards: Readonly<Record<string, string>> = {
  email: 'email',
  url: 'url',
  tel: 'tel',
  number: 'decimal',
  search: 'search',
};

/** Shows where the agent is about to touch. */
function Finger({ phone }: { readonly phone: Phone }) {
  const cursor = phone.cursor.value;
  useEffect(() => {
    if (cursor === undefined) return undefined;
    const timer = setTimeout(() => (phone.cursor.value = undefined), cursor.in_ms + 400);
    return () => clearTimeout(timer);
  }, [cursor]);
  const { width, height } = phone.size.value;
  return (
    <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {cursor && <circle class="finger" cx={cursor.x} cy={cursor.y} r={18} />}
    </svg>
  );
}
