import { computed, signal } from '@preact/signals';
import type {
  ClipboardMessage,
  ControlMessage,
  CursorMessage,
  FramesMessage,
  InputAck,
  PageMessage,
  RoomInput,
  TurnMessage,
} from '../../../../contracts/resources/room.ts';
import { Link, type Canvases } from './link.ts';
import { words } from './strings.ts';
import type { Ticket } from './wire.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface PhoneOptions {
  /** Resolves to a token for the room. */
  readonly ticket: () => PromiseLike<Ticket>;
  /** Whether the token permits input. */
  readonly mayTouch: boolean;
  /** Changes the mode to one in which people may take over, if needed. */
  readonly letTakeOver?: () => Promise<unknown>;
}

const CLIENT = 'console.client';

function clientIdOfTab(): string {
  const id = sessionStorage.getItem(CLIENT) ?? crypto.randomUUID();
  sessionStorage.setItem(CLIENT, id);
  return id;
}

interface Waiting {
  readonly at: number;
  readonly done: (() => void) | undefined;
}

/** Milliseconds between presence messages of a person who is active, but not on the phone. */
const SIGN_MS = 5_000;
const LOOK_MS = 1_000;
/** Milliseconds without a picture until it counts as stalled. An unchanged page is sent once a second. */
const STALLED_MS = 4_000;

/** One person's view of a phone: its picture, who has control, and input. */
export class Phone {
  readonly link: Link;
  readonly control = signal<ControlMessage | undefined>(undefined);
  readonly page = signal<PageMessage | undefined>(undefined);
  readonly turn = signal<TurnMessage>(null);
  readonly cursor = signal<CursorMessage | undefined>(undefined);
  /** The element that the agent touched last. */
  readonly met = signal<CursorMessage['met']>(null);
  /** Frames that the browser sent in the last second. */
  readonly sent = signal(0);
  readonly clipboard = signal<string | undefined>(undefined);
  readonly size = signal<Size>({ width: 393, height: 659 });
  readonly hasNoPicture = signal(false);
  /** Why an input was refused, for people; empty if none was. */
  readonly refused = signal('');
  readonly roundTripMs = signal<number | undefined>(undefined);
  readonly pace = signal({ frames: 0, ageMs: 0 });
  /** Current time in milliseconds since the epoch, updated every second. */
  readonly now = signal(Date.now());
  readonly options: PhoneOptions;
  /** Identifies this tab among those that may take control, also after a reload. */
  readonly #clientId = clientIdOfTab();
  readonly #waiting = new Map<number, Waiting>();
  #identity = '';
  #seq = 0;
  #signAt = 0;
  #wantsControls = false;
  #counted = { frames: 0, at: 0 };

  constructor(options: PhoneOptions) {
    this.options = options;
    this.link = new Link({
      ticket: async () => {
        // The joined room may have a picture; if it has none, it reports that again.
        this.hasNoPicture.value = false;
        const ticket = await options.ticket();
        this.#identity = ticket.participant_identity;
        return ticket;
      },
      data: (topic, payload) => this.#hear(topic, new TextDecoder().decode(payload)),
      size: (width, height) => (this.size.value = { width, height }),
    });
  }

  readonly isLive = computed(() => ['live', 'pictures'].includes(this.link.state.value));

  /** True if this person's input was the last. */
  readonly isTouchedByUs = computed(() => this.control.value?.last_touched_by === this.#identity);

  readonly isOurs = computed(() => this.control.value?.pair?.client_id === this.#clientId);

  /** True if this person's input reaches the phone. */
  readonly drives = computed(() => {
    const control = this.control.value;
    if (!control || !this.options.mayTouch || !this.isLive.value || control.status !== 'active') return false;
    if (control.mode === 'manual') return true;
    return control.pair?.kind === 'human-driving' && this.isOurs.value;
  });

  /** True if control can be taken: the agent has it. */
  readonly mayTakeOver = computed(() => {
    const control = this.control.value;
    if (!control || !this.options.mayTouch || !this.isLive.value || control.status !== 'active') return false;
    if (control.mode === 'ai') return this.options.letTakeOver !== undefined;
    return control.pair?.kind === 'ai-driving';
  });

  /** Seconds until control is returned automatically. */
  readonly secondsLeft = computed(() => {
    const control = this.control.value;
    const left = this.#signAt + (control?.heartbeat_ms ?? 0) - this.now.value;
    return Math.max(0, Math.ceil(left / 1_000));
  });

  readonly isStalled = computed(() => this.isLive.value && this.pace.value.ageMs > STALLED_MS);

  /** Joins and maintains the connection. Returns a function that leaves. */
  open(on: Canvases): () => void {
    this.#waiting.clear();
    this.control.value = undefined;
    this.#wantsControls = false;
    this.#counted = { frames: 0, at: Date.now() };
    this.link.start(on);
    const timer = setInterval(() => void this.#look(), LOOK_MS);
    return () => {
      clearInterval(timer);
      this.link.stop();
    };
  }

  /** Sends an input. `done` is called when it was applied or refused. */
  send(event: RoomInput, done?: () => void): void {
    const control = this.control.value;
    if (!this.drives.value || !control) return done?.();
    const seq = this.#number(done);
    this.#signAt = Date.now();
    const client = { client_id: this.#clientId, time: Math.round(performance.now()) };
    this.link.send('input', { seq, epoch: control.epoch, ...client, event });
  }

  /** Reports presence without input. */
  isHere(): void {
    if (this.control.value?.mode === 'pair' && this.drives.value && Date.now() - this.#signAt > SIGN_MS)
      this.send({ type: 'ping', timestamp: Date.now() });
  }

  async takeOver(): Promise<void> {
    if (!this.mayTakeOver.value) return;
    this.refused.value = '';
    this.#wantsControls = true;
    try {
      if (this.control.value?.mode === 'ai') await this.options.letTakeOver?.();
    } catch (error) {
      this.#wantsControls = false;
      throw error;
    }
    this.#askForControls();
  }

  giveBack(): void {
    this.#ask('handback');
  }

  copy(): void {
    this.clipboard.value = undefined;
    this.#ask('copy');
  }

  #askForControls(): void {
    if (!this.#wantsControls || this.control.value?.mode !== 'pair') return;
    this.#wantsControls = false;
    this.#signAt = Date.now();
    this.#ask('takeover');
  }

  #ask(type: 'takeover' | 'handback' | 'copy'): void {
    this.link.send('control', { seq: this.#number(), type, client_id: this.#clientId });
  }

  #number(done?: () => void): number {
    this.#seq += 1;
    this.#waiting.set(this.#seq, { at: performance.now(), done });
    return this.#seq;
  }

  #hear(topic: string, text: string): void {
    const message: unknown = JSON.parse(text);
    const takes: Readonly<Record<string, () => void>> = {
      'input-ack': () => this.#answered(message as InputAck),
      control: () => this.#controlled(message as ControlMessage),
      clipboard: () => (this.clipboard.value = (message as ClipboardMessage).text),
      page: () => (this.page.value = message as PageMessage),
      cursor: () => this.#pointed(message as CursorMessage),
      frames: () => (this.sent.value = (message as FramesMessage).frames),
      turn: () => (this.turn.value = message as TurnMessage),
      picture: () => (this.hasNoPicture.value = true),
    };
    takes[topic]?.();
  }

  #controlled(control: ControlMessage): void {
    if (control.pair?.kind === 'human-driving' && control.epoch !== this.control.value?.epoch)
      this.#signAt = Date.now();
    this.control.value = control;
    this.#askForControls();
  }

  #pointed(cursor: CursorMessage): void {
    this.cursor.value = cursor;
    this.met.value = cursor.met;
  }

  #answered(ack: InputAck): void {
    const waited = ack.seq === null ? undefined : this.#waiting.get(ack.seq);
    if (ack.seq !== null) this.#waiting.delete(ack.seq);
    if (waited && !('reason' in ack)) {
      const ms = performance.now() - waited.at;
      this.roundTripMs.value = (this.roundTripMs.value ?? ms) * 0.7 + ms * 0.3;
    }
    const says: Readonly<Record<string, string>> = words.refused;
    this.refused.value = 'reason' in ack ? (says[ack.reason] ?? '') : '';
    waited?.done?.();
  }

  async #look(): Promise<void> {
    const now = Date.now();
    this.now.value = now;
    const shown = await this.link.frames();
    if (shown === undefined) return;
    const { frames, at } = this.#counted;
    if (shown !== frames) this.#counted = { frames: shown, at: now };
    this.pace.value = { frames: Math.max(0, shown - frames), ageMs: shown === frames ? now - at : 0 };
  }
}
