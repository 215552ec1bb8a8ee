import type { WebSocket } from 'ws';
import { topics } from '../../../contracts/resources/room.ts';
import { Type, closed } from '../../../contracts/schema.ts';
import { shape } from '../shape.ts';
import { attributesFrom } from './attributes.ts';
import { bounds, createDataAllowance, createSignalAllowance } from './bounds.ts';
import type { Feed } from './feed.ts';
import { noPicture, type LiveRoom } from './live-room.ts';
import type { Ending, Member, MemberEvents } from './member.ts';
import type { Participant } from './room.ts';
import { followSocket, goingAway } from './watched-socket.ts';

const [normal, removed] = [1000, 4000];
/** Close codes of a page that is left, and of a socket closed with or without a code (RFC 6455, 7.1.5). */
const goodbyes = [goingAway, normal, 1005];

const isMessage = shape(
  Type.Union([
    closed({ topic: Type.String({ maxLength: 200 }), payload: Type.String({ maxLength: 88_000 }) }),
    closed({ attributes: Type.Record(Type.String(), Type.String()) }),
  ]),
);

const inBase64 = (payload: Uint8Array): string => Buffer.from(payload).toString('base64');

/**
 * A participant without a media connection: pictures as binary messages on one socket, data messages as JSON `{topic, payload}`, the
 * payload in base64, both ways. A picture that would have to wait is dropped. Its messages have the limits of a data channel, and those with
 * attributes also the limits of a signalling socket.
 */
export class Frames implements Member {
  readonly feed: Feed;
  readonly #given: Omit<Participant, 'attributes'>;
  readonly #socket: WebSocket;
  readonly #events: MemberEvents;
  readonly #stopWatching: () => void;
  readonly #admitAttributes = createSignalAllowance();
  #attributes: Readonly<Record<string, string>> = {};
  #isOpen = true;

  constructor(room: LiveRoom, given: Omit<Participant, 'attributes'>, socket: WebSocket) {
    this.#given = given;
    this.#socket = socket;
    this.feed = room.feeds.pictures;
    this.#events = room.join(this);
    this.#stopWatching = this.feed.watch({
      unit: (picture) => {
        if (socket.bufferedAmount < bounds.waiting.picture) socket.send(picture);
      },
      noPicture: () => this.send(topics.picture, noPicture, false),
    });
    followSocket(socket, {
      admit: createDataAllowance(),
      message: (bytes, isBinary) => this.#heard(bytes, isBinary),
      exceeded: () => this.#misbehaved(),
      closed: (code) => this.#gone(goodbyes.includes(code) ? 'closed' : 'lost'),
    });
  }

  get participant(): Participant {
    return { ...this.#given, attributes: this.#attributes };
  }

  send(topic: string, payload: Uint8Array, lossy: boolean): void {
    if (!lossy || this.#socket.bufferedAmount <= bounds.waiting.lossy)
      this.#say({ topic, payload: inBase64(payload) });
  }

  end(why: Ending, detail?: string): void {
    this.#say({ ended: why, ...(detail !== undefined && { detail }) });
    this.#socket.close(why === 'browser-ended' ? normal : removed, why);
    this.#stop();
  }

  #say(message: object): void {
    if (this.#socket.bufferedAmount > bounds.waiting.reliable) this.#socket.terminate();
    else this.#socket.send(JSON.stringify(message));
  }

  #heard(bytes: Buffer, isBinary: boolean): void {
    if (!this.#isOpen || isBinary) return;
    const message = parse(bytes);
    if (message === undefined) return this.#misbehaved();
    if ('topic' in message)
      return this.#events.data(message.topic, Buffer.from(message.payload, 'base64'), true);
    const changed = attributesFrom(this.#attributes, message.attributes);
    if (changed === undefined || this.#admitAttributes() === 'exceeded') return this.#misbehaved();
    this.#attributes = changed;
    this.#events.attributes(changed);
  }

  #misbehaved(): void {
    if (this.#isOpen) this.#events.misbehaved();
  }

  #gone(why: 'closed' | 'lost'): void {
    if (!this.#isOpen) return;
    this.#stop();
    this.#events.gone(why);
  }

  #stop(): void {
    this.#isOpen = false;
    this.#stopWatching();
  }
}

/** Undefined for a malformed message. */
function parse(bytes: Buffer) {
  try {
    const message: unknown = JSON.parse(bytes.toString());
    return isMessage.is(message) ? message : undefined;
  } catch {
    return undefined;
  }
}
