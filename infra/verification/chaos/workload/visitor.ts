import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import type { ControlMessage, FramesMessage, InputAck } from '../../../../contracts/resources/room.ts';
import { PictureParticipant, type VideoBlock } from '../../live-view/picture-participant.ts';
import { placeOf, type LiveRecord, type Visit } from '../world/live.ts';

/** Time limits in milliseconds. A join may wait for a browser. */
const limits = { join: 15_000, answer: 6_000, grant: 6_000 };

type Outcome = Pick<Visit, 'outcome' | 'status' | 'why'>;

/** Always resolves. */
const outcomeOf = (socket: WebSocket): Promise<Outcome> =>
  new Promise((resolve) => {
    const lost = (why: string) => resolve({ outcome: 'lost', why });
    const timer = setTimeout(() => {
      lost('no answer in time');
      socket.terminate();
    }, limits.join);
    socket.once('open', () => {
      clearTimeout(timer);
      resolve({ outcome: 'joined' });
    });
    socket.once('error', ({ message }) => lost(message));
    socket.once('unexpected-response', (request, reply: IncomingMessage) => {
      let why = '';
      reply.on('data', (part: Buffer) => (why += part.toString()));
      reply.once('close', () => {
        resolve({ outcome: 'refused', status: reply.statusCode ?? 0, why });
        request.destroy();
      });
    });
    socket.once('close', () => {
      clearTimeout(timer);
      lost('closed');
    });
  });

export type Admission = Omit<Visit, 'pictures' | 'askedAt' | 'by' | 'outcome' | 'status' | 'why'> & {
  readonly right: 'watch' | 'control';
};

/** A person in a room, by pictures over a socket. Every wait has a limit, and ends with the connection. */
export class Visitor {
  readonly clientId = `hand-${randomUUID()}`;
  readonly #participant: PictureParticipant;
  readonly #record: LiveRecord;
  readonly #admission: Admission;
  #requests = 1_000_000;

  private constructor(participant: PictureParticipant, record: LiveRecord, admission: Admission) {
    this.#participant = participant;
    this.#record = record;
    this.#admission = admission;
  }

  /** Joins a room. The outcome is in the record. Undefined if the join failed. */
  static async join(
    record: LiveRecord,
    video: VideoBlock,
    admission: Admission,
  ): Promise<Visitor | undefined> {
    const { room, as, isByLink } = admission;
    const visit = record.visit({ room, as, isByLink, by: 'pictures' });
    const participant = new PictureParticipant(video);
    const visitor = new Visitor(participant, record, admission);
    participant.socket.on('message', () => visitor.#take(visit));
    Object.assign(visit, await outcomeOf(participant.socket));
    return visit.outcome === 'joined' ? visitor : undefined;
  }

  get isHere(): boolean {
    return this.#participant.socket.readyState === this.#participant.socket.OPEN;
  }

  get control(): ControlMessage | undefined {
    return this.#latest<ControlMessage>('control');
  }

  /** Resolves with the first message about control; undefined if none comes. */
  greeted(): Promise<ControlMessage | undefined> {
    return this.#heard(() => this.control, limits.answer);
  }

  /** Resolves when a picture is there; undefined if none comes. */
  shown(): Promise<true | undefined> {
    return this.#heard(() => this.#participant.pictures.length > 0 || undefined, limits.answer);
  }

  /** Stays for so long, unless the connection ends first. */
  async stay(ms: number): Promise<void> {
    await this.#heard<never>(() => undefined, ms);
  }

  /** Asks for the controls; true once it has them. */
  async takeOver(): Promise<boolean> {
    const asked = this.#record.takeover(this.#admission.room, this.clientId);
    this.#participant.attributes({ client_id: this.clientId });
    const answer = await this.#request('takeover');
    Object.assign(asked, { answer, answeredAt: Date.now() });
    if (answer !== 'ok') return false;
    const has = () => (this.#drives(this.control) ? true : undefined);
    return (await this.#heard(has, limits.grant)) ?? false;
  }

  /** Resolves with the answer: `ok`, or a reason; undefined if none comes. */
  async touch(epoch = this.control?.epoch ?? 1): Promise<string | undefined> {
    const { room, right } = this.#admission;
    const { clientId } = this;
    const sent = this.#record.touch({ room, right, epoch, clientId });
    const at = { touchId: 0, ...placeOf(sent.number) };
    const about = { epoch, client_id: clientId };
    const seq = this.#participant.input({ type: 'touchStart', ...at }, about);
    this.#participant.input({ type: 'touchEnd', ...at }, about);
    const answer = await this.#answer(seq);
    Object.assign(sent, { answer, answeredAt: Date.now() });
    return answer;
  }

  handBack(): Promise<string | undefined> {
    return this.#request('handback');
  }

  leave(): void {
    this.#participant.leave();
  }

  /** Breaks the connection without a message. */
  vanish(): void {
    this.#participant.socket.terminate();
  }

  #request(type: 'takeover' | 'handback'): Promise<string | undefined> {
    const seq = (this.#requests += 1);
    this.#participant.say('control', { seq, type, client_id: this.clientId });
    return this.#answer(seq);
  }

  #answer(seq: number): Promise<string | undefined> {
    const answered = () => {
      const acks = this.#participant.on('input-ack') as unknown as readonly InputAck[];
      const ack = acks.find((each) => each.seq === seq);
      return ack && ('ok' in ack ? 'ok' : ack.reason);
    };
    return this.#heard(answered, limits.answer);
  }

  #drives(control: ControlMessage | undefined): boolean {
    return control?.pair?.kind === 'human-driving' && control.pair.client_id === this.clientId;
  }

  #latest<T>(topic: string): T | undefined {
    return this.#participant.on(topic).at(-1) as T | undefined;
  }

  #take(visit: Visit): void {
    visit.pictures = this.#participant.pictures.length;
    const size = this.#latest<FramesMessage>('frames')?.size;
    if (size) this.#record.sizes.add(`${size.width}×${size.height}`);
    const { status, pair, epoch } = this.control ?? {};
    // A session that is closed keeps its last state of control, for display.
    if (
      status !== 'closed' &&
      pair?.kind === 'human-driving' &&
      pair.client_id !== null &&
      epoch !== undefined
    )
      this.#record.told({ room: this.#admission.room, epoch, clientId: pair.client_id });
  }

  /** The first result of `look`; undefined if there is none until the limit or the end of the connection. */
  #heard<T>(look: () => T | undefined, limitMs: number): Promise<T | undefined> {
    const { socket } = this.#participant;
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        socket.off('message', again).off('close', end);
        resolve(look());
      };
      const again = () => {
        if (look() !== undefined) end();
      };
      const timer = setTimeout(end, limitMs);
      socket.on('message', again).on('close', end);
      if (this.isHere) again();
      else end();
    });
  }
}
