import type { Logger } from 'pino';
import type { RoomState } from '../../../contracts/fleet/room.ts';
import type { AgentSessionId, SessionId } from '../../../contracts/ids.ts';
import { topics, type ControlMessage, type InputReason } from '../../../contracts/resources/room.ts';
import type { Participant, Room, RoomEvents } from '../video/room.ts';
import type { ControlLine } from './control-line.ts';
import type { Job } from './delivery.ts';
import { isClient, isDriven, judge, type Verdict } from './judge.ts';
import { ackOf, hasRelease, readControl, readInput, send } from './messages.ts';
import { Person } from './person.ts';
import { Presence } from './presence.ts';
import { ScreenTakeovers } from './screen-takeovers.ts';
import { Seated, type Seat } from './seat.ts';
import type { Turns } from './turns.ts';

export interface HandsOptions {
  readonly line: ControlLine;
  /** Undefined if the browser is not on this node, or has ended. */
  readonly seatOf: (session: SessionId) => Seat | undefined;
  readonly turns: Turns;
  readonly logger: Logger;
  /** Called for each event with the reason of a refusal, and the milliseconds until the browser had it or it was refused. */
  readonly onInput?: (reason: InputReason | null, ms: number) => void;
  /** Milliseconds after which a client whose connection broke counts as gone. */
  readonly leaveMs?: number;
}

type ReadInput = ReturnType<typeof readInput>;
type InputData = Extract<ReadInput, { message: unknown }>['message'];

/** Input from the people in one room to its browser. Follows the agent session while the room has participants. */
export class RoomHands implements RoomEvents {
  readonly #id: AgentSessionId;
  readonly #room: Room;
  readonly #options: HandsOptions;
  readonly #presence: Presence;
  readonly #takeovers: ScreenTakeovers;
  readonly #people = new Map<string, Person>();
  #state: RoomState | undefined;
  #following: { close(): void } | undefined;
  #seated: Seated | undefined;
  #toldTurn = 'null';

  constructor(id: AgentSessionId, room: Room, options: HandsOptions) {
    this.#id = id;
    this.#room = room;
    this.#options = options;
    this.#presence = new Presence({ ...options, id, known: () => [this.#state, [...this.#people.values()]] });
    this.#takeovers = new ScreenTakeovers({ ...options, id });
  }

  joined(participant: Participant): void {
    this.#people.set(participant.identity, new Person(participant, performance.now()));
    this.#following ??= this.#options.line.follow(this.#id, (state) => this.#learn(state));
    this.#presence.came(this.#state?.pair, participant);
    this.#greet(participant);
    this.#settle();
  }

  attributes(participant: Participant): void {
    const person = this.#people.get(participant.identity);
    person?.update(participant);
    this.#presence.came(this.#state?.pair, participant);
    this.#settle();
  }

  left(participant: Participant, why: 'closed' | 'lost'): void {
    this.#people.delete(participant.identity);
    if (this.#seated?.delivery.owner === participant.identity) this.#letGo();
    this.#presence.left(this.#state?.pair, participant, why);
    this.#settle();
    if (this.#people.size > 0) return;
    this.#following?.close();
    this.#following = undefined;
    this.#state = undefined;
    this.#toldTurn = 'null';
    this.#seat(undefined);
  }

  data(participant: Participant, topic: string, payload: Uint8Array): void {
    const isInput = topic === topics.input || topic === topics.moves;
    const person = this.#people.get(participant.identity);
    if (person === undefined || !(isInput || topic === topics.control)) return;
    const input = isInput ? readInput(payload) : undefined;
    const admitted = person.admits(performance.now(), input && hasRelease(input));
    if (admitted.ok) return input ? this.#input(person, input) : this.#request(person, payload);
    if (input) this.#count('too-many');
    if (admitted.tell) this.#answer(person, null, 'too-many');
  }

  #input(person: Person, read: ReadInput): void {
    if (!('message' in read)) return this.#refuse(person, read.seq, 'malformed');
    const { message } = read;
    if (!person.isNews(message.seq, message.event)) return this.#refuse(person, message.seq, 'newer-move');
    const verdict = this.#judge(person, message);
    if (verdict.is === 'carried_out') {
      this.#beat(person, verdict.clientId);
      return this.#deliver(person, message);
    }
    if (verdict.is === 'takes_over' && verdict.clientId !== null)
      return void this.#takeOver(person, message.seq, verdict.clientId, 'input_event');
    if (verdict.is !== 'refused') return;
    this.#beat(person, verdict.beats ?? null);
    this.#refuse(person, message.seq, verdict.reason);
  }

  #judge(
    person: Person,
    { epoch, client_id }: { readonly epoch: number; readonly client_id?: string | undefined },
  ): Verdict {
    const { participant } = person;
    const clientId = client_id ?? participant.attributes.client_id;
    person.clientId = clientId ?? person.clientId;
    const here = () => [...this.#people.values()].map((each) => each.participant);
    return judge(this.#state, { participant, epoch, clientId, here });
  }

  #deliver(person: Person, message: InputData): void {
    const { identity } = person.participant;
    if (this.#seated === undefined) return this.#refuse(person, message.seq, 'no-browser');
    const now = performance.now();
    const mayNot = (): InputReason | null => {
      // Events of a participant that has left, or has joined again since, are dropped.
      if (!this.#isHere(person)) return 'no-contact';
      const verdict = this.#judge(person, message);
      if (verdict.is === 'carried_out') return null;
      return verdict.is === 'refused' ? verdict.reason : 'old-epoch';
    };
    const job: Job = {
      ...{ seq: message.seq, event: message.event, identity, mayNot, arrivedAt: now },
      answer: (seq, reason) => this.#answer(person, seq, reason),
      ...{ dueAt: now + person.pace.wait(now, message.time), isBegun: false },
    };
    const replaced = person.replaceMove(job);
    if (replaced === undefined) this.#seated.delivery.add(job);
    else this.#refuse(person, replaced, 'newer-move');
  }

  #request(person: Person, payload: Uint8Array): void {
    const read = readControl(payload);
    const { attributes } = person.participant;
    if (!('message' in read)) return this.#answer(person, read.seq, 'malformed');
    const { seq, type, client_id: named } = read.message;
    if (type === 'copy') return void this.#copy(person, seq, named);
    const clientId = named ?? attributes.client_id;
    const verdict = this.#judge(person, { epoch: this.#state?.epoch ?? 0, client_id: clientId });
    if (clientId === undefined) return this.#answer(person, seq, 'client-required');
    if (verdict.is === 'refused' && verdict.reason !== 'pending')
      return this.#answer(person, seq, verdict.reason);
    if (this.#state?.pair === null) return this.#answer(person, seq, null);
    if (type === 'takeover') return void this.#takeOver(person, seq, clientId, 'takeover');
    void this.#presence
      .ask('handback', person.participant, this.#heldBy(person.participant, clientId), 'takeover')
      .then((reason) => this.#answer(person, seq, reason));
  }

  /** The client id under which this participant has the controls, or has requested them; the given one if it has not. */
  #heldBy(participant: Participant, clientId: string): string {
    const pair = this.#state?.pair;
    return pair && isClient(participant, pair) ? (pair.client_id ?? clientId) : clientId;
  }

  async #takeOver(
    person: Person,
    seq: number,
    clientId: string,
    trigger: 'takeover' | 'input_event',
  ): Promise<void> {
    const reason = await this.#presence.ask('takeover', person.participant, clientId, trigger);
    if (trigger === 'takeover') return this.#answer(person, seq, reason);
    this.#refuse(person, seq, reason ?? 'asked');
  }

  /** Who has the controls, where this participant would have to request them. */
  #holder(): InputReason {
    return this.#state?.pair?.kind === 'ai-driving' ? 'agent-drives' : 'other-client';
  }

  async #copy(person: Person, seq: number, named: string | undefined): Promise<void> {
    const verdict = this.#judge(person, { epoch: this.#state?.epoch ?? 0, client_id: named });
    if (verdict.is !== 'carried_out')
      return this.#answer(person, seq, verdict.is === 'refused' ? verdict.reason : this.#holder());
    this.#beat(person, verdict.clientId);
    try {
      if (this.#seated === undefined) return this.#answer(person, seq, 'no-browser');
      const text = await this.#seated.seat.hands.selection();
      if (this.#isHere(person)) send(this.#room, 'clipboard', { seq, text }, [person.participant.identity]);
    } catch {
      this.#answer(person, seq, 'failed');
    }
  }

  /** Takes the state from the control plane; undefined if it is unknown. */
  #learn(state: RoomState | undefined): void {
    const before = this.#state;
    this.#state = state;
    if (controlOf(before) !== controlOf(state)) {
      this.#letGo();
      this.#tellControl();
    }
    this.#seat(state?.session_id ?? undefined);
    if (state === undefined) return;
    for (const { participant } of this.#people.values())
      if (participant.linkId !== undefined && !state.links.some(({ id }) => id === participant.linkId))
        this.#room.disconnect(participant.identity, 'The link is no longer valid.');
    for (const { participant } of this.#people.values()) this.#presence.came(state.pair, participant);
    this.#tellTurn(state);
    this.#settle();
  }

  /** Called after each change of the state or the participants. */
  #settle(): void {
    this.#seated?.setDriven(isDriven(this.#state, [...this.#people.values()]));
    void this.#presence.grant();
  }

  /** Sets the browser that the room shows. */
  #seat(session: SessionId | undefined): void {
    if (this.#seated?.seat.session === session) return;
    this.#seated?.close();
    const seat = session && this.#options.seatOf(session);
    this.#seated =
      seat &&
      new Seated(seat, this.#room, {
        ...this.#options,
        answer: (job, reason) => this.#delivered(job, reason),
        onOwner: () => this.#tellControl(),
        onTouch: (identity) => this.#takeovers.touched(this.#state, this.#people.get(identity)),
      });
  }

  #delivered({ seq, arrivedAt, answer }: Job, reason: InputReason | null): void {
    this.#count(reason, performance.now() - arrivedAt);
    answer(seq, reason);
    this.#seated?.page.soon();
  }

  /** Answers that an event is not carried out. */
  #refuse(person: Person, seq: number | null, reason: InputReason): void {
    this.#count(reason);
    this.#answer(person, seq, reason);
  }

  #count(reason: InputReason | null, ms = 0): void {
    this.#options.onInput?.(reason, ms);
  }

  #letGo(): void {
    void this.#seated?.letGo().catch((error: unknown) => {
      this.#options.logger.warn({ err: error }, 'Keys and touches of a person could not be released.');
    });
  }

  #beat({ participant }: Person, clientId: string | null): void {
    if (this.#state !== undefined && clientId !== null)
      this.#presence.beat(this.#state, participant, clientId);
  }

  /** Answers a message. Not sent to a newer join of the same person, because it would seem to answer a message of that join. */
  #answer(person: Person, seq: number | null, reason: InputReason | null): void {
    if (this.#isHere(person)) send(this.#room, 'ack', ackOf(seq, reason), [person.participant.identity]);
  }

  /** False once it has left, also if it has joined again since. */
  #isHere(person: Person): boolean {
    return this.#people.get(person.participant.identity) === person;
  }

  #greet({ identity }: Participant): void {
    if (this.#state !== undefined) send(this.#room, 'control', this.#control(this.#state), [identity]);
    const page = this.#seated?.page.last;
    if (page !== undefined) send(this.#room, 'page', page, [identity]);
    if (this.#state?.turn) send(this.#room, 'turn', this.#state.turn, [identity]);
  }

  #tellControl(): void {
    if (this.#state !== undefined) send(this.#room, 'control', this.#control(this.#state));
  }

  #control({ status, mode, pair, epoch, heartbeat_ms }: RoomState): ControlMessage {
    return {
      ...{ status, mode, epoch, heartbeat_ms },
      pair: pair && { kind: pair.kind, client_id: pair.client_id, since: pair.since },
      last_touched_by: this.#seated?.delivery.owner ?? null,
    };
  }

  #tellTurn({ turn }: RoomState): void {
    const text = JSON.stringify(turn);
    if (text !== this.#toldTurn) send(this.#room, 'turn', turn);
    this.#toldTurn = text;
  }
}

/** The parts of the state on which the permission of input depends. */
const controlOf = (state: RoomState | undefined): string =>
  state === undefined
    ? ''
    : JSON.stringify([state.status, state.mode, state.pair, state.epoch, state.session_id]);
