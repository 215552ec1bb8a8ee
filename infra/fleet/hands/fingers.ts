import type { InputReason } from '../../../contracts/resources/room.ts';

export interface Viewport {
  readonly width: number;
  readonly height: number;
}

/** Maximal number of a person's fingers on the screen. */
const mostFingers = 2;

export interface Touch {
  readonly type: 'down' | 'move' | 'up';
  /** Number that its sender gave it. */
  readonly touchId: number;
  readonly x: number;
  readonly y: number;
}

/** A touch of the screen, where fingers have the numbers 0 and 1. */
export interface Placed {
  readonly type: Touch['type'];
  readonly finger: number;
  readonly x: number;
  readonly y: number;
}

/**
 * The fingers on the screen. A finger comes down inside the viewport, moves and is lifted; at most two are down. One that leaves the
 * viewport is kept at its edge, so that it can be lifted.
 */
export class Fingers {
  /** The screen's finger number by the sender's. */
  readonly #down = new Map<number, number>();
  readonly #viewport: Viewport;

  constructor(viewport: Viewport) {
    this.#viewport = viewport;
  }

  get count(): number {
    return this.#down.size;
  }

  place({ type, touchId, x, y }: Touch): Placed | InputReason {
    const finger = this.#down.get(touchId);
    if (type === 'down') return this.#lay(touchId, x, y);
    if (finger === undefined) return 'no-touch';
    if (type === 'up') this.#down.delete(touchId);
    return { type, finger, ...this.#within(x, y) };
  }

  has(touchId: number): boolean {
    return this.#down.has(touchId);
  }

  /** Forgets all fingers. */
  clear(): void {
    this.#down.clear();
  }

  contains(x: number, y: number): boolean {
    return x >= 0 && y >= 0 && x < this.#viewport.width && y < this.#viewport.height;
  }

  #lay(touchId: number, x: number, y: number): Placed | InputReason {
    if (this.#down.has(touchId)) return 'no-touch';
    if (this.#down.size >= mostFingers) return 'too-many-fingers';
    if (!this.contains(x, y)) return 'outside';
    const finger = [...this.#down.values()].includes(0) ? 1 : 0;
    this.#down.set(touchId, finger);
    return { type: 'down', finger, x, y };
  }

  #within(x: number, y: number) {
    const { width, height } = this.#viewport;
    return { x: Math.min(Math.max(x, 0), width - 1), y: Math.min(Math.max(y, 0), height - 1) };
  }
}
