import type { RoomInput } from '../../../../contracts/resources/room.ts';
import type { Size } from './phone.ts';
import { isOn, within, type Point } from './places.ts';

/** Position of a mouse's second finger: mirrored at the middle of the screen, or beside the first. */
export type Second = 'across' | 'beside';

interface Pinch {
  readonly at: Point;
  readonly apart: number;
  /** Whether the last move has not been sent yet. */
  isMoved: boolean;
  readonly timer: ReturnType<typeof setTimeout>;
}

interface Held {
  readonly touchId: number;
  readonly second: Second | undefined;
  at: Point;
}

export interface HandOptions {
  readonly size: () => Size;
  readonly send: (event: RoomInput, done?: () => void) => void;
}

/** CSS pixels between two fingers beside each other, and at the start of a pinch. */
const [BESIDE, APART] = [48, 120];
/** Milliseconds without a wheel event after which the fingers of a pinch are lifted. */
const PINCH_MS = 200;
/** Maximal number at a time. */
const FINGERS = 2;

/**
 * Fingers, from pointers and wheels. Moves are sent once a frame, only the newest; a finger that goes down or up first sends
 * waiting ones.
 */
export class Hand {
  /** Fingers by pointer id. */
  readonly #held = new Map<number, Held>();
  readonly #moved = new Set<Held>();
  readonly #options: HandOptions;
  #frame = 0;
  #wheel: { at: Point; x: number; y: number } | undefined;
  #isTurning = false;
  #pinch: Pinch | undefined;

  constructor(options: HandOptions) {
    this.#options = options;
  }

  down(pointer: number, at: Point, second?: Second): void {
    this.#endPinch();
    const room = FINGERS - this.#count();
    if (!isOn(this.#options.size(), at) || room < (second ? 2 : 1) || this.#held.has(pointer)) return;
    this.#flush();
    const used = [...this.#held.values()].map(({ touchId }) => touchId);
    const held = { touchId: used.includes(0) ? 1 : 0, second, at };
    this.#held.set(pointer, held);
    this.#touch('touchStart', held);
  }

  move(pointer: number, at: Point): void {
    const held = this.#held.get(pointer);
    if (held === undefined) return;
    held.at = at;
    this.#moved.add(held);
    this.#soon();
  }

  up(pointer: number): void {
    const held = this.#held.get(pointer);
    if (held === undefined) return;
    this.#flush();
    this.#held.delete(pointer);
    this.#touch('touchEnd', held);
  }

  /** One wheel message at a time is in flight; further deltas are summed. */
  wheel(at: Point, x: number, y: number): void {
    if (!isOn(this.#options.size(), at)) return;
    this.#wheel = { at, x: (this.#wheel?.x ?? 0) + x, y: (this.#wheel?.y ?? 0) + y };
    this.#soon();
  }

  /** The pinch of a trackpad: two fingers around a point. */
  pinch(at: Point, by: number): void {
    const apart = Math.min(Math.max((this.#pinch?.apart ?? APART) * Math.exp(-by / 100), 20), 2_000);
    if (this.#pinch === undefined) {
      if (this.#held.size > 0 || !isOn(this.#options.size(), at)) return;
      this.#around('touchStart', at, APART);
    }
    clearTimeout(this.#pinch?.timer);
    const middle = this.#pinch?.at ?? at;
    const timer = setTimeout(() => this.#endPinch(), PINCH_MS);
    this.#pinch = { at: middle, apart, isMoved: true, timer };
    this.#soon();
  }

  /** Releases every finger. */
  lift(): void {
    for (const pointer of this.#held.keys()) this.up(pointer);
    this.#endPinch();
    this.#wheel = undefined;
    this.#isTurning = false;
  }

  #count(): number {
    return [...this.#held.values()].reduce((sum, { second }) => sum + (second ? 2 : 1), 0);
  }

  #touch(type: 'touchStart' | 'touchMove' | 'touchEnd', { touchId, second, at }: Held): void {
    this.#options.send({ type, touchId, ...at });
    if (second === undefined) return;
    const size = this.#options.size();
    const other =
      second === 'across' ? { x: size.width - at.x, y: size.height - at.y } : { x: at.x + BESIDE, y: at.y };
    this.#options.send({ type, touchId: 1 - touchId, ...within(size, other) });
  }

  #around(type: 'touchStart' | 'touchMove' | 'touchEnd', { x, y }: Point, apart: number): void {
    const size = this.#options.size();
    this.#options.send({ type, touchId: 0, ...within(size, { x: x - apart / 2, y }) });
    this.#options.send({ type, touchId: 1, ...within(size, { x: x + apart / 2, y }) });
  }

  #endPinch(): void {
    if (this.#pinch === undefined) return;
    clearTimeout(this.#pinch.timer);
    this.#movePinch();
    this.#around('touchEnd', this.#pinch.at, this.#pinch.apart);
    this.#pinch = undefined;
  }

  #movePinch(): void {
    if (this.#pinch?.isMoved !== true) return;
    this.#pinch.isMoved = false;
    this.#around('touchMove', this.#pinch.at, this.#pinch.apart);
  }

  #soon(): void {
    this.#frame ||= requestAnimationFrame(() => this.#flush());
  }

  #flush(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    for (const held of this.#moved) this.#touch('touchMove', held);
    this.#moved.clear();
    this.#movePinch();
    if (this.#wheel === undefined || this.#isTurning) return;
    const { at, x: deltaX, y: deltaY } = this.#wheel;
    this.#wheel = undefined;
    this.#isTurning = true;
    this.#options.send({ type: 'wheel', ...at, deltaX, deltaY }, () => {
      this.#isTurning = false;
      if (this.#wheel !== undefined) this.#soon();
    });
  }
}
