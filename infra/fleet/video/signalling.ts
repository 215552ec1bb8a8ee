import { randomUUID } from 'node:crypto';
import type { SignalRequest, TrickleRequest } from '@livekit/protocol';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { topics } from '../../../contracts/resources/room.ts';
import { attributesFrom } from './attributes.ts';
import { bounds, createAllowance, createDataAllowance, createSignalAllowance } from './bounds.ts';
import { isTooLong } from './descriptions.ts';
import type { Feed, Viewer } from './feed.ts';
import type { IceOptions } from './ice.ts';
import { fromKeyFrame, noPicture, type LiveRoom } from './live-room.ts';
import * as livekit from './livekit.ts';
import { openMedia, type Media, type RateChange } from './media.ts';
import type { Ending, Member, MemberEvents } from './member.ts';
import type { Participant } from './room.ts';
import { createBacklog } from './vp8.ts';
import { followSocket, goingAway } from './watched-socket.ts';

export interface SignallingOptions {
  readonly room: LiveRoom;
  readonly participant: Omit<Participant, 'attributes'>;
  readonly ice: IceOptions;
  readonly logger: Logger;
  /** Called once, when the connection cannot be resumed any more. */
  readonly ended: () => void;
}

const normal = 1000;

/**
 * A participant with LiveKit's client libraries: a socket for signalling, and media and data beside it. A broken socket does not affect the
 * media for a while, during which the participant may reconnect.
 */
export class Signalling implements Member {
  readonly sid = `PA_${randomUUID()}`;
  readonly #options: SignallingOptions;
  readonly #events: MemberEvents;
  readonly #stopWatching: () => void;
  readonly #viewer: Viewer;
  readonly #admitData = createDataAllowance();
  readonly #mayDescribe = createAllowance(bounds.descriptions);
  #attributes: Readonly<Record<string, string>> = {};
  #socket: WebSocket | undefined;
  #media: Media | undefined;
  /** Messages from before the media connection existed. */
  readonly #early: Buffer[] = [];
  #returning: NodeJS.Timeout | undefined;
  #offers = 0;
  #ended = false;
  /** Descriptions are applied one after the other. */
  #tail: Promise<unknown> = Promise.resolve();

  constructor(options: SignallingOptions, socket: WebSocket) {
    this.#options = options;
    const { room } = options;
    const shown = fromKeyFrame((packet) => {
      if (this.#media?.packet(packet) === false) {
        shown.broken();
        room.feeds.video.key();
      }
    });
    const backlog = createBacklog(bounds.waiting.backlog);
    this.#viewer = {
      unit: (packet) => (this.#media?.isConnected === true ? shown : backlog).unit(packet),
      noPicture: () => this.send(topics.picture, noPicture, false),
    };
    this.#events = room.join(this);
    this.#stopWatching = room.feeds.video.watch(this.#viewer);
    this.#attach(socket);
    this.#say(
      livekit.joined(
        room.name,
        { participant: this.participant, sid: this.sid },
        room.feeds.video.size,
        options.ice.servers,
      ),
    );
    this.#next(() =>
      this.#begin(() => {
        const packets = backlog.take();
        packets.forEach(shown.unit);
        if (packets.length === 0) room.feeds.video.key();
      }),
    );
  }

  get feed(): Feed {
    return this.#options.room.feeds.video;
  }

  get participant(): Participant {
    return { ...this.#options.participant, attributes: this.#attributes };
  }

  /** Whether a reconnecting participant's id is this one's. */
  isBack(sid: string): boolean {
    return !this.#ended && sid === this.sid;
  }

  /** Replaces the broken socket of the same participant. */
  resume(socket: WebSocket): void {
    clearTimeout(this.#returning);
    const before = this.#socket;
    this.#attach(socket);
    before?.terminate();
    if (this.#media?.isConnected === true) this.#say(livekit.rejoined(this.#options.ice.servers));
    else this.#say(livekit.joinAnew());
  }

  send(topic: string, payload: Uint8Array, lossy: boolean): void {
    const message = livekit.dataOf(topic, payload);
    if (this.#media === undefined) {
      if (!lossy) this.#early.push(message);
    } else if (this.#media.message(message, lossy) === 'too-slow')
      this.#misbehaved('It takes no messages any more.');
  }

  end(why: Ending): void {
    this.#say(livekit.left(why));
    this.#socket?.close(normal);
    this.#stop();
  }

  async #begin(connected: () => void): Promise<void> {
    const { ice, room } = this.#options;
    const media = await openMedia(
      ice,
      {
        connected,
        failed: () => this.#lost(),
        data: (message, reliable) => this.#received(message, reliable),
        exceeded: () => this.#misbehaved('It sends too much.'),
        keyWanted: () => room.feeds.video.key(),
        canTake: (change) => room.feeds.video.canTake(this.#viewer, this.#rateAfter(change)),
      },
      bounds.waiting,
    );
    if (this.#ended) return media.close();
    this.#media = media;
    for (const message of this.#early.splice(0)) media.message(message, false);
    const offer = await media.offer(livekit.streamOf);
    this.#say(livekit.described(offer, (this.#offers += 1)));
    setTimeout(() => {
      if (!media.isConnected) this.#lost();
    }, bounds.connectMs).unref();
  }

  /** The new bitrate: lower in proportion to losses, slowly higher without any. */
  #rateAfter(change: RateChange): number {
    if ('most' in change) return change.most;
    const now = this.#options.room.feeds.video.ofViewer(this.#viewer);
    if (change.lost > 0.1) return now * (1 - change.lost / 2);
    return change.lost < 0.02 ? now * 1.08 : now;
  }

  #attach(socket: WebSocket): void {
    this.#socket = socket;
    followSocket(socket, {
      admit: createSignalAllowance(),
      message: (bytes, isBinary) => this.#heard(socket, bytes, isBinary),
      exceeded: () => this.#misbehaved('It sends too much.'),
      closed: (code) => {
        if (this.#socket !== socket || this.#ended) return;
        if (code === goingAway) return this.#gone('closed');
        // It has had the time to return.
        this.#returning = setTimeout(() => this.#gone('closed'), bounds.returnMs);
      },
    });
  }

  #heard(socket: WebSocket, bytes: Buffer, isBinary: boolean): void {
    if (socket !== this.#socket || this.#ended) return;
    try {
      if (isBinary) this.#take(livekit.decode(bytes));
    } catch {
      this.#misbehaved('That was no request.');
    }
  }

  /** Requests to publish are ignored, and so is anything else that does not matter here. */
  #take(request: SignalRequest['message']): void {
    if (request.case === 'answer')
      this.#describe(request.value.sdp, async (media, sdp) => media.answered(sdp));
    if (request.case === 'offer') {
      const { sdp: offered, id } = request.value;
      this.#describe(offered, async (media, sdp) =>
        this.#say(livekit.described(await media.answer(sdp), id)),
      );
    }
    if (request.case === 'trickle') this.#takeCandidate(request.value);
    if (request.case === 'updateMetadata') this.#takeAttributes(request.value.attributes);
    if (request.case === 'pingReq') this.#say(livekit.pong(request.value.timestamp));
    if (request.case === 'leave') this.#gone('closed');
  }

  #takeCandidate({ candidateInit, target }: TrickleRequest): void {
    const init: unknown = JSON.parse(candidateInit);
    if (typeof init === 'object' && init !== null)
      this.#next(async () => this.#media?.candidate(livekit.targetOf(target), init));
  }

  #describe(sdp: string, apply: (media: Media, sdp: string) => Promise<unknown>): void {
    if (isTooLong(sdp)) return this.#misbehaved('A description is too long.');
    if (!this.#mayDescribe()) return this.#misbehaved('It sends too many descriptions.');
    this.#next(async () => this.#media && apply(this.#media, sdp));
  }

  #takeAttributes(given: Readonly<Record<string, string>>): void {
    const attributes = attributesFrom(this.#attributes, given);
    if (attributes === undefined) return this.#misbehaved('There are too many attributes, or too long ones.');
    this.#attributes = attributes;
    this.#say(livekit.changed(this.participant, this.sid));
    this.#events.attributes(attributes);
  }

  #received(message: Buffer, reliable: boolean): void {
    if (this.#ended) return;
    const admitted = this.#admitData(message.length);
    if (admitted === 'exceeded') this.#misbehaved('It sends too much.');
    if (admitted !== 'passed') return;
    let user;
    try {
      user = livekit.userData(message);
    } catch {
      return this.#misbehaved('That was no packet.');
    }
    if (user && user.payload.length <= bounds.data.bytes)
      this.#events.data(user.topic, user.payload, reliable);
  }

  /** Runs a participant's request; a failure affects only that participant. */
  #next(work: () => Promise<unknown>): void {
    this.#tail = this.#tail.then(work).catch((error: unknown) => {
      if (this.#ended) return;
      this.#options.logger.debug(
        { err: error, room: this.#options.room.name },
        'A request of a participant failed.',
      );
      this.#misbehaved('That could not be answered.');
    });
  }

  #say(message: Uint8Array): void {
    const socket = this.#socket;
    if (socket?.readyState !== socket?.OPEN) return;
    if ((socket?.bufferedAmount ?? 0) > bounds.waiting.reliable) socket?.terminate();
    else socket?.send(message);
  }

  #misbehaved(detail: string): void {
    if (this.#ended) return;
    const { room, participant, logger } = this.#options;
    logger.info(
      { room: room.name, identity: participant.identity, detail },
      'A participant was disconnected for misbehaviour.',
    );
    this.#events.misbehaved();
  }

  #lost(): void {
    if (this.#ended) return;
    this.#say(livekit.joinAnew());
    this.#gone('lost');
  }

  #gone(why: 'closed' | 'lost'): void {
    if (this.#ended) return;
    this.#socket?.close(normal);
    this.#stop();
    this.#events.gone(why);
  }

  #stop(): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#returning);
    this.#stopWatching();
    void this.#media?.close();
    this.#options.ended();
  }
}
