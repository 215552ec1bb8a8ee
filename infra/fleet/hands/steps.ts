import type { Modifier } from '../../../contracts/resources/pair-mode.ts';
import type { InputReason, RoomInput } from '../../../contracts/resources/room.ts';
import type { DialogAnswer } from '../node/driver.ts';
import type { Touch, Viewport } from './fingers.ts';

/** The input steps of an event, in order. */
export type Step =
  | { readonly do: 'touch'; readonly touch: Touch }
  | { readonly do: 'pause'; readonly ms: number }
  | { readonly do: 'key_down'; readonly key: string; readonly modifiers: readonly Modifier[] }
  | { readonly do: 'key_up'; readonly key: string }
  | { readonly do: 'text' | 'paste'; readonly text: string }
  | { readonly do: 'answer'; readonly answer: DialogAnswer };

type Steps = {
  readonly [T in RoomInput['type']]: (
    event: Extract<RoomInput, { readonly type: T }>,
    about: About,
  ) => readonly Step[] | InputReason;
};

interface About {
  readonly viewport: Viewport;
  /** Whether the mouse button is down. */
  readonly isPressed: boolean;
}

/** Finger numbers that no sender can use, for mouse and gesture events. */
const [ofMouse, ofGesture] = [-1, -2];
/** Duration of a tap in milliseconds. */
const tapMs = 40;
/** Milliseconds between two moves of a finger. */
const frameMs = 16;
/** Duration of a wheel's scroll in milliseconds, and of the rest after it that prevents momentum. */
const [wheelMs, restMs] = [96, 80];

const touch = (type: Touch['type'], touchId: number, x: number, y: number): Step => ({
  do: 'touch',
  touch: { type, touchId, x, y },
});
const pause = (ms: number): Step => ({ do: 'pause', ms });
const isWritten = (key: string) =>
  [...new Intl.Segmenter('en').segment(key)].length === 1 && !/^[\x20-\x7e]$/.test(key);

/** The steps of an event, or the reason why it has none. A phone has no mouse: the left button becomes a finger, and the wheel a drag. */
export function stepsOf(event: RoomInput, about: About): readonly Step[] | InputReason {
  const make = steps[event.type] as (given: RoomInput, about: About) => readonly Step[] | InputReason;
  return make(event, about);
}

const steps: Steps = {
  ping: () => [],
  touchStart: ({ touchId, x, y }) => [touch('down', touchId, x, y)],
  touchMove: ({ touchId, x, y }) => [touch('move', touchId, x, y)],
  touchEnd: ({ touchId, x, y }) => [touch('up', touchId, x, y)],
  mouseDown: ({ button, x, y }) => (button === 0 ? [touch('down', ofMouse, x, y)] : 'no-such-key'),
  mouseMove: ({ x, y }, { isPressed }) => (isPressed ? [touch('move', ofMouse, x, y)] : []),
  mouseUp: ({ button, x, y }) => (button === 0 ? [touch('up', ofMouse, x, y)] : 'no-such-key'),
  tap: ({ x, y }) => [touch('down', ofGesture, x, y), pause(tapMs), touch('up', ofGesture, x, y)],
  swipe: ({ x1, y1, x2, y2, durationMs }) => [
    ...drag({ x: x1, y: y1 }, { x: x2, y: y2 }, durationMs),
    touch('up', ofGesture, x2, y2),
  ],
  wheel: ({ x, y, deltaX, deltaY }, { viewport }) => {
    const to = { x: within(x - deltaX, viewport.width), y: within(y - deltaY, viewport.height) };
    return [...drag({ x, y }, to, wheelMs), pause(restMs), touch('up', ofGesture, to.x, to.y)];
  },
  keyDown: ({ key, modifiers = [] }) =>
    isWritten(key) ? [{ do: 'text', text: key }] : [{ do: 'key_down', key, modifiers }],
  keyUp: ({ key }) => (isWritten(key) ? [] : [{ do: 'key_up', key }]),
  text: ({ text }) => [{ do: 'text', text }],
  paste: ({ text }) => [{ do: 'paste', text }],
  answerDialog: ({ dialogId: id, accept, text }) => [{ do: 'answer', answer: { id, accept, text } }],
};

const within = (place: number, length: number): number => Math.min(Math.max(place, 0), length - 1);

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A finger comes down and moves evenly; it is not lifted. */
function drag(from: Point, to: Point, durationMs: number): Step[] {
  const moves = Math.max(1, Math.round(durationMs / frameMs));
  const each = durationMs / moves;
  const moved = Array.from({ length: moves }, (_, n): Step[] => {
    const part = (n + 1) / moves;
    const [x, y] = [from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part];
    return [pause(each), touch('move', ofGesture, x, y)];
  });
  return [touch('down', ofGesture, from.x, from.y), ...moved.flat()];
}
