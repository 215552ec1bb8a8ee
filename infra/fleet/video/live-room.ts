import type { Logger } from 'pino';
import { topics, type FramesMessage, type PictureMessage } from '../../../contracts/resources/room.ts';
import { Cache } from '../../platform/cache.ts';
import { bounds } from './bounds.ts';
import { Feed, type FeedOptions } from './feed.ts';
import type { Ending, Member, MemberEvents } from './member.ts';
import type { OpenRoomEvents, Participant, Room, RoomEvents } from './room.ts';
import { beginsKeyFrame, createRestamp, endsFrame, isRtp } from './vp8.ts';

export interface LiveRoomOptions {
  readonly name: string;
  readonly feeds: Feeds;
  readonly open: OpenRoomEvents;
  readonly logger: Logger;
}

/** The encoded pictures of one browser, shared by its rooms. */
export interface Feeds {
  /** RTP packets of VP8, numbered as one stream. */
  readonly video: Feed;
  /** JPEG pictures, for participants without a media connection. */
  readonly pictures: Feed;
}

export function createFeeds({
  show,
  logger,
  onFailed,
}: Pick<FeedOptions, 'show' | 'logger' | 'onFailed'>): Feeds {
  const given = { show, logger, onFailed };
  const restamp = createRestamp(() => performance.now());
  return {
    video: new Feed({
      ...{ ...given, kind: 'vp8', endsFrame },
      prepare: (packet) => (isRtp(packet) ? restamp(packet) : undefined),
    }),
    pictures: new Feed({ ...given, kind: 'jpeg', prepare: (picture) => picture, endsFrame: () => true }),
  };
}

/** Milliseconds between two counts of frames. */
const countMs = 1_000;

/** The participants that watch one browser under one room name. */
export class LiveRoom implements Room {
  readonly name: string;
  readonly #options: LiveRoomOptions;
  readonly #members = new Map<string, Member>();
  readonly #events: RoomEvents;
  readonly #out = new Cache<string, true>({ maxEntries: 1_000, maxAgeMs: bounds.outMs });
  #counting: NodeJS.Timeout | undefined;
  /** Count of each feed's frames at the last message. */
  readonly #told = new Map<Feed, number>();

  constructor(options: LiveRoomOptions) {
    this.name = options.name;
    this.#options = options;
    this.#events = options.open(this);
  }

  get feeds(): Feeds {
    return this.#options.feeds;
  }

  get size(): number {
    return this.#members.size;
  }

  /** Whether the participant was removed a moment ago. */
  isOut(identity: string): boolean {
    return this.#out.get(identity) === true;
  }

  get isFull(): boolean {
    return this.#members.size >= bounds.ofRoom;
  }

  participants(): readonly Participant[] {
    return [...this.#members.values()].map(({ participant }) => participant);
  }

  /** Adds a member, and replaces one of the same identity. Returns the callbacks for its connection. */
  join(member: Member): MemberEvents {
    const { identity } = member.participant;
    const before = this.#members.get(identity);
    if (before) this.#drop(before, 'lost', 'replaced');
    this.#members.set(identity, member);
    this.#counting ??= setInterval(() => this.#tellFrames(), countMs).unref();
    this.#tell((events) => events.joined(member.participant));
    const isHere = () => this.#members.get(identity) === member;
    return {
      data: (topic, payload, reliable) => {
        if (isHere()) this.#tell((events) => events.data(member.participant, topic, payload, reliable));
      },
      attributes: () => {
        if (isHere()) this.#tell((events) => events.attributes(member.participant));
      },
      gone: (why) => {
        if (isHere()) this.#forget(member, why);
      },
      misbehaved: () => {
        this.#out.set(identity, true);
        if (isHere()) this.#drop(member, 'closed', 'misbehaved');
        else member.end('misbehaved');
      },
    };
  }

  send(topic: string, payload: Uint8Array, to?: readonly string[], lossy = false): void {
    const receivers = to
      ? to.flatMap((identity) => this.#members.get(identity) ?? [])
      : this.#members.values();
    for (const member of [...receivers]) member.send(topic, payload, lossy);
  }

  disconnect(identity: string, why: string): void {
    const member = this.#members.get(identity);
    if (member) this.#drop(member, 'closed', 'removed', why);
  }

  close(why: Ending): void {
    for (const member of [...this.#members.values()]) this.#drop(member, 'closed', why);
  }

  #drop(member: Member, told: 'closed' | 'lost', why: Ending, detail?: string): void {
    member.end(why, detail);
    this.#forget(member, told);
  }

  #forget(member: Member, why: 'closed' | 'lost'): void {
    this.#members.delete(member.participant.identity);
    if (this.#members.size === 0) {
      clearInterval(this.#counting);
      this.#counting = undefined;
    }
    this.#tell((events) => events.left(member.participant, why));
  }

  #tellFrames(): void {
    const { video, pictures } = this.feeds;
    const messages = new Map([video, pictures].map((feed) => [feed, this.#framesOf(feed)] as const));
    for (const member of this.#members.values()) {
      const message = messages.get(member.feed);
      if (message) member.send(topics.frames, message, true);
    }
  }

  #framesOf(feed: Feed): Uint8Array {
    const { frames } = feed.counts;
    const message: FramesMessage = {
      frames: frames - (this.#told.get(feed) ?? frames),
      size: feed.size ?? null,
    };
    this.#told.set(feed, frames);
    return Buffer.from(JSON.stringify(message));
  }

  /** A listener's error does not affect the connection. */
  #tell(event: (events: RoomEvents) => void): void {
    try {
      event(this.#events);
    } catch (error) {
      this.#options.logger.error({ err: error, room: this.name }, 'A listener failed on an event of a room.');
    }
  }
}

const none: PictureMessage = { state: 'unavailable', reason: 'The picture could not be encoded.' };
/** Message of the topic `picture` once no encoder runs any more. */
export const noPicture = Buffer.from(JSON.stringify(none));

/** Passes on only packets that can be shown: none before a key frame, which is requested. */
export function fromKeyFrame(take: (packet: Buffer) => void) {
  let begun = false;
  return {
    unit: (packet: Buffer) => {
      begun ||= beginsKeyFrame(packet);
      if (begun) take(packet);
    },
    /** Packets were dropped: the following ones cannot be shown before the next key frame. */
    broken: () => {
      begun = false;
    },
  };
}
