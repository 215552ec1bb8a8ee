import { signal } from '@preact/signals';
import { ServiceError } from '../../../../contracts/client/index.ts';
import { joinFrames } from './frames-wire.ts';
import type { Ended, Hears, Ticket, Wire } from './wire.ts';

export type LinkState = 'off' | 'connecting' | 'live' | 'pictures' | 'again' | 'over';

/** Why there is no picture: the connection ended, the service refused the join, or no token could be obtained. */
export type Why = { readonly ended: Ended } | { readonly refused: string } | { readonly error: unknown };

/** The elements that show the pictures. */
export interface Canvases {
  readonly video: HTMLVideoElement;
  readonly canvas: HTMLCanvasElement;
}

export interface LinkOptions extends Omit<Hears, 'ended'> {
  readonly ticket: () => PromiseLike<Ticket>;
}

/** Time limit of WebRTC's first picture in milliseconds, before the fallback to pictures over the socket. */
const VIDEO_MS = 5_000;
/** Delays before each reconnect in milliseconds; afterwards the connection counts as lost. */
const WAITS = [500, 1_000, 2_000, 4_000, 8_000] as const;

class Refused extends Error {}

/** Whether another try may succeed: the connection failed, or the service could not give a token. */
const isPassing = (error: unknown): boolean =>
  error instanceof ServiceError
    ? error.status === 0 || error.status >= 500
    : error instanceof Error && error.constructor === Error;

/** A connection with a room that reconnects. */
export class Link {
  readonly state = signal<LinkState>('off');
  readonly why = signal<Why | undefined>(undefined);
  #wire: Wire | undefined;
  /** Identifies the current connection; results of earlier ones are ignored. */
  #wanted: object | undefined;
  #tries = 0;
  readonly #options: LinkOptions;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  start(on: Canvases): void {
    this.stop();
    this.#tries = 0;
    this.#begin(on, 'connecting');
  }

  /** Leaves the room. */
  stop(): void {
    this.#wanted = undefined;
    this.#wire?.close();
    this.#wire = undefined;
    if (this.state.value !== 'over') this.state.value = 'off';
  }

  send(topic: string, message: object): void {
    this.#wire?.send(topic, new TextEncoder().encode(JSON.stringify(message)));
  }

  /** Number of pictures shown so far; undefined without a connection. */
  frames = async (): Promise<number | undefined> => this.#wire?.frames();

  #begin(on: Canvases, state: LinkState): void {
    const wanted = {};
    this.#wanted = wanted;
    this.state.value = state;
    this.why.value = undefined;
    void this.#join(on, wanted).then(
      (wire) => {
        if (this.#wanted !== wanted) return wire.close();
        this.#wire = wire;
        this.#tries = 0;
        this.state.value = wire.kind === 'video' ? 'live' : 'pictures';
      },
      (error: unknown) => {
        if (this.#wanted === wanted) this.#failed(on, error);
      },
    );
  }

  async #join(on: Canvases, wanted: object): Promise<Wire> {
    const ticket = await this.#options.ticket();
    const hears: Hears = {
      data: (topic, payload) => this.#wanted === wanted && this.#options.data(topic, payload),
      size: (width, height) => this.#wanted === wanted && this.#options.size(width, height),
      ended: (why) => {
        if (this.#wanted === wanted && this.#wire !== undefined) this.#ended(on, why);
      },
    };
    try {
      const { joinRoom } = await import('./room-wire.ts');
      return await joinRoom(ticket, on.video, hears, VIDEO_MS);
    } catch {
      const refusal = await refusalOf(ticket);
      if (refusal !== undefined) throw new Refused(refusal);
      return joinFrames(ticket, on.canvas, hears);
    }
  }

  #failed(on: Canvases, error: unknown): void {
    if (error instanceof Refused) this.#over({ refused: error.message });
    else if (isPassing(error)) this.#again(on);
    else this.#over({ error });
  }

  #ended(on: Canvases, why: Ended): void {
    this.#wire = undefined;
    if (why === 'lost' || why === 'moving') this.#again(on);
    else this.#over({ ended: why });
  }

  #again(on: Canvases): void {
    const wait = WAITS[this.#tries];
    this.#tries += 1;
    if (wait === undefined) return this.#over({ ended: 'lost' });
    const wanted = {};
    this.#wanted = wanted;
    this.state.value = 'again';
    setTimeout(() => {
      if (this.#wanted === wanted) this.#begin(on, 'again');
    }, wait);
  }

  #over(why: Why): void {
    this.#wanted = undefined;
    this.why.value = why;
    this.state.value = 'over';
  }
}

/** Why a join is refused; undefined if it is not, or that is unknown. A temporary failure is not a refusal. */
async function refusalOf({ ws_url, token }: Ticket): Promise<string | undefined> {
  const address = `${ws_url.replace(/^ws/, 'http')}/rtc/validate?access_token=${encodeURIComponent(token)}`;
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(VIDEO_MS) });
    return answer.ok || answer.status >= 500 ? undefined : await answer.text();
  } catch {
    return undefined;
  }
}
