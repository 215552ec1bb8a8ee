import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { WebSocketServer, type WebSocket } from 'ws';
import type { SessionId } from '../../../contracts/ids.ts';
import { refuseUpgrade } from '../../platform/upgrade.ts';
import type { ShowPicture } from '../node/picture.ts';
import { bounds } from './bounds.ts';
import type { Feed } from './feed.ts';
import { Frames } from './frames.ts';
import type { IceOptions } from './ice.ts';
import { createFeeds, LiveRoom, type Feeds } from './live-room.ts';
import type { Ending } from './member.ts';
import type { OpenRoomEvents } from './room.ts';
import { Signalling } from './signalling.ts';
import { readAdmission, type Admission, type VideoKey } from './token.ts';

export interface VideoOptions {
  readonly key: VideoKey;
  readonly ice: IceOptions;
  /** Shows the browser of a session on this node; undefined if there is none. */
  readonly showOf: (session: SessionId) => ShowPicture | undefined;
  /** Creates the handlers of a room's events. */
  readonly open: OpenRoomEvents;
  readonly logger: Logger;
  /** Called when a picture of a browser has failed for its participants; possibly more than once. */
  readonly onFailed?: (session: SessionId) => void;
}

/** Paths of the sockets, which are the same at the gateway. `validate`: whether a socket would be refused, and why. */
const videoPaths = {
  ...{ signalling: '/video/rtc', frames: '/video/frames' },
  validate: '/video/rtc/validate',
} as const;
const paths: readonly string[] = Object.values(videoPaths);

/** The rooms of a node's browsers. A room is created by the first join, and ends with its browser. */
export class VideoServer {
  readonly #options: VideoOptions;
  readonly #shows = new Map<SessionId, Shown>();
  /** Participants that may return on another socket, by room and identity. */
  readonly #signalling = new Map<string, Signalling>();
  readonly #sockets = {
    signalling: socketsOf(bounds.signal.bytes),
    frames: socketsOf(bounds.frames.bytes),
  };
  /** Totals of ended rooms. */
  readonly #shown = { units: 0, frames: 0, bytes: 0, processorSeconds: 0 };
  #draining = false;

  constructor(options: VideoOptions) {
    this.#options = options;
  }

  readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', () => socket.destroy());
    this.#admit(request, socket, head).catch((error: unknown) => {
      this.#options.logger.error({ err: error }, 'A participant could not join.');
      socket.destroy();
    });
  };

  /** Ends the rooms of a session whose browser is ending. */
  async ended(session: SessionId): Promise<void> {
    const ending = this.#shows.get(session);
    this.#shows.delete(session);
    if (!ending) return;
    await end(ending, 'browser-ended');
    const ended = countsOf(feedsOf(ending));
    for (const what of counted) this.#shown[what] += ended[what];
  }

  async close(): Promise<void> {
    this.#draining = true;
    await Promise.all([...this.#shows.values()].map((shown) => end(shown, 'node-ending')));
    this.#shows.clear();
    Object.values(this.#sockets).forEach((sockets) => sockets.close());
  }

  /** Present use, and totals since the start. */
  readonly use = () => {
    const feeds = [...this.#shows.values()].flatMap(feedsOf);
    const now = countsOf(feeds);
    return {
      viewers: this.#crowd(),
      encoders: feeds.filter(({ isRunning }) => isRunning).length,
      units: this.#shown.units + now.units,
      frames: this.#shown.frames + now.frames,
      bytes: this.#shown.bytes + now.bytes,
      processorSeconds: this.#shown.processorSeconds + now.processorSeconds,
      bitsPerSecond: feeds.reduce((sum, { bitsPerSecond }) => sum + bitsPerSecond, 0),
    };
  };

  /** Sessions whose rooms have participants. */
  readonly watched = (): readonly SessionId[] =>
    [...this.#shows].flatMap(([session, { rooms }]) =>
      [...rooms.values()].some(({ size }) => size > 0) ? [session] : [],
    );

  #all(): LiveRoom[] {
    return [...this.#shows.values()].flatMap(({ rooms }) => [...rooms.values()]);
  }

  #crowd(): number {
    return this.#all().reduce((sum, { size }) => sum + size, 0);
  }

  async #admit(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://node');
    if (!paths.includes(pathname)) return answer(socket, 404);
    const admission = await readAdmission(searchParams.get('access_token') ?? '', this.#options.key);
    if (!admission) return answer(socket, 401);
    const show = this.#draining ? undefined : this.#options.showOf(admission.session);
    if (!show) return answer(socket, 404);
    const refusal = this.#refusalOf(admission);
    if (refusal !== undefined) return answer(socket, refusal);
    if (pathname === videoPaths.validate) return answer(socket, 200);
    const room = this.#roomFor(admission, show);
    const isFrames = pathname === videoPaths.frames;
    // The encoder starts while the two sides exchange descriptions.
    if (!isFrames) void room.feeds.video.warm();
    this.#sockets[isFrames ? 'frames' : 'signalling'].handleUpgrade(request, socket, head, (accepted) => {
      if (isFrames) new Frames(room, admission.participant, accepted);
      else this.#signal(room, admission, accepted, searchParams);
    });
  }

  #roomFor({ session, room: name }: Admission, show: ShowPicture): LiveRoom {
    const { logger, open, onFailed } = this.#options;
    const shown: Shown = this.#shows.get(session) ?? {
      feeds: createFeeds({ show, logger, onFailed: () => onFailed?.(session) }),
      rooms: new Map(),
    };
    this.#shows.set(session, shown);
    const { feeds, rooms } = shown;
    const room = rooms.get(name) ?? new LiveRoom({ name, feeds, open, logger });
    rooms.set(name, room);
    return room;
  }

  /** The status of a refusal. A participant that replaces itself needs no additional place. */
  #refusalOf({ session, room: name, participant: { identity } }: Admission): 429 | 503 | undefined {
    const room = this.#shows.get(session)?.rooms.get(name);
    if (room?.isOut(identity) === true) return 429;
    const returns = room?.participants().some((each) => each.identity === identity);
    const hasPlace = returns === true || (room?.isFull !== true && this.#crowd() < bounds.ofNode);
    return hasPlace ? undefined : 503;
  }

  #signal(room: LiveRoom, { participant }: Admission, socket: WebSocket, query: URLSearchParams) {
    const place = `${room.name} ${participant.identity}`;
    const before = this.#signalling.get(place);
    if (query.get('reconnect') === '1' && before?.isBack(query.get('sid') ?? '')) {
      before.resume(socket);
      return;
    }
    const { ice, logger } = this.#options;
    const ended = () => {
      if (this.#signalling.get(place) === member) this.#signalling.delete(place);
    };
    const member = new Signalling({ room, participant, ice, logger, ended }, socket);
    this.#signalling.set(place, member);
  }
}

/** Accepts sockets whose messages have at most this size. */
const socketsOf = (maxPayload: number) =>
  new WebSocketServer({ noServer: true, maxPayload, perMessageDeflate: false });

/** A browser that is shown: its encoders, and its rooms by name. */
interface Shown {
  readonly feeds: Feeds;
  readonly rooms: Map<string, LiveRoom>;
}

const feedsOf = ({ feeds: { video, pictures } }: Shown) => [video, pictures];

const counted = ['units', 'frames', 'bytes', 'processorSeconds'] as const;
type Counts = Record<(typeof counted)[number], number>;

const countsOf = (feeds: readonly Feed[]): Counts =>
  feeds.reduce<Counts>(
    (sum, { counts, processorSeconds }) => ({
      units: sum.units + counts.units,
      frames: sum.frames + counts.frames,
      bytes: sum.bytes + counts.bytes,
      processorSeconds: sum.processorSeconds + processorSeconds,
    }),
    { units: 0, frames: 0, bytes: 0, processorSeconds: 0 },
  );

async function end(shown: Shown, why: Ending): Promise<void> {
  for (const room of shown.rooms.values()) room.close(why);
  await Promise.all(feedsOf(shown).map((feed) => feed.close()));
}

/** Texts of refused upgrades; without a token of this node there is none. */
const texts = {
  200: 'success',
  401: '',
  404: 'There is no browser to watch any more.',
  429: 'The participant was just removed. Join again in 10 seconds.',
  503: 'The room is full, or the node is.',
} as const;

const answer = (socket: Duplex, status: keyof typeof texts): void =>
  refuseUpgrade(
    socket,
    status,
    texts[status],
    status === 429 ? { 'Retry-After': String(bounds.outMs / 1000) } : {},
  );
