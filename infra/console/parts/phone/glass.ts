import { effect } from '@preact/signals';
import { Hand } from './hand.ts';
import type { Phone } from './phone.ts';
import { pointOn } from './places.ts';
import { Typing } from './typing.ts';

type Field = HTMLTextAreaElement;

/** CSS pixels per pixel, line and page: the units of `WheelEvent.deltaMode`. */
const WHEEL = [1, 16, 600] as const;

/** Captures a person's input on a field over the picture while they have control. Returns a function that stops it. */
export function layGlass(field: Field, phone: Phone): () => void {
  const ending = new AbortController();
  const hand = new Hand({ size: () => phone.size.value, send: (event, done) => phone.send(event, done) });
  const giveBack = () => {
    hand.lift();
    typing.lift();
    if (phone.control.value?.mode === 'pair') phone.giveBack();
    field.blur();
  };
  const typing = new Typing({ send: (event) => phone.send(event), giveBack });
  const lift = () => {
    hand.lift();
    typing.lift();
  };
  const on = listening(field, phone, ending.signal);
  takePointers(field, phone, hand, on);
  takeWheel(field, phone, hand, on);
  takeKeys(field, typing, on);
  field.addEventListener('blur', lift, { signal: ending.signal });
  window.addEventListener('blur', lift, { signal: ending.signal });
  document.addEventListener('visibilitychange', lift, { signal: ending.signal });
  for (const type of ['pointermove', 'keydown'] as const)
    document.addEventListener(type, () => phone.isHere(), { signal: ending.signal });
  const stop = effect(() => {
    // Losing control releases all fingers and keys.
    if (!phone.drives.value) lift();
  });
  return () => {
    lift();
    stop();
    ending.abort();
  };
}

type On = <T extends keyof HTMLElementEventMap>(
  types: readonly T[],
  take: (event: HTMLElementEventMap[T]) => void,
) => void;

/** Without control, events keep their default behaviour. */
const listening =
  (field: Field, phone: Phone, signal: AbortSignal): On =>
  (types, take) => {
    for (const type of types)
      field.addEventListener(
        type,
        (event) => {
          if (phone.drives.value) take(event);
        },
        { signal, passive: false },
      );
  };

const placeOn = (field: Field, phone: Phone, { clientX: x, clientY: y }: MouseEvent) =>
  pointOn(field.getBoundingClientRect(), phone.size.value, { x, y });

function takePointers(field: Field, phone: Phone, hand: Hand, on: On): void {
  on(['pointerdown'], (event) => {
    event.preventDefault();
    field.focus({ preventScroll: true });
    if (event.button !== 0) return;
    field.setPointerCapture(event.pointerId);
    const second = event.ctrlKey ? (event.shiftKey ? 'beside' : 'across') : undefined;
    hand.down(event.pointerId, placeOn(field, phone, event), second);
  });
  on(['pointermove'], (event) => hand.move(event.pointerId, placeOn(field, phone, event)));
  on(['pointerup', 'pointercancel', 'lostpointercapture'], ({ pointerId }) => hand.up(pointerId));
  // Touches must not select, open a menu or zoom here.
  on(['mousedown', 'contextmenu', 'touchstart', 'touchmove', 'dragstart'], (event) => event.preventDefault());
}

function takeWheel(field: Field, phone: Phone, hand: Hand, on: On): void {
  on(['wheel'], (event) => {
    event.preventDefault();
    const unit = WHEEL[event.deltaMode] ?? 1;
    const at = placeOn(field, phone, event);
    if (event.ctrlKey) hand.pinch(at, event.deltaY * unit);
    else hand.wheel(at, event.deltaX * unit, event.deltaY * unit);
  });
}

function takeKeys(field: Field, typing: Typing, on: On): void {
  on(['keydown'], (event) => typing.down(event));
  on(['keyup'], (event) => typing.up(event));
  on(['beforeinput'], (event) => typing.edit(event));
  on(['compositionend'], ({ data }) => {
    typing.text('text', data);
    field.value = '';
  });
  on(['input'], ({ isComposing }) => {
    if (!isComposing) field.value = '';
  });
  on(['paste'], (event) => {
    event.preventDefault();
    typing.text('paste', event.clipboardData?.getData('text/plain') ?? '');
  });
}
