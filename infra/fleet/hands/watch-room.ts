import { topics, type InputReason } from '../../../contracts/resources/room.ts';
import type { Participant, Room, RoomEvents } from '../video/room.ts';
import type { HandsOptions } from './room-hands.ts';
import { ackOf, readControl, readInput, send } from './messages.ts';
import { Person } from './person.ts';

/** The room of a session alone: people only watch, because nothing says who has control. Their input is answered with that reason. */
export class WatchRoom implements RoomEvents {
  readonly #room: Room;
  readonly #onInput: HandsOptions['onInput'];
  readonly #people = new Map<string, Person>();

  constructor(room: Room, { onInput }: Pick<HandsOptions, 'onInput'>) {
    this.#room = room;
    this.#onInput = onInput;
  }

  joined(participant: Participant): void {
    this.#people.set(participant.identity, new Person(participant, performance.now()));
  }

  left({ identity }: Participant): void {
    this.#people.delete(identity);
  }

  attributes(): void {}

  data({ identity }: Participant, topic: string, payload: Uint8Array): void {
    const isInput = topic === topics.input || topic === topics.moves;
    const person = this.#people.get(identity);
    if (person === undefined || !(isInput || topic === topics.control)) return;
    const refuse = (seq: number | null, reason: InputReason, tell = true) => {
      if (isInput) this.#onInput?.(reason, 0);
      if (tell) send(this.#room, 'ack', ackOf(seq, reason), [identity]);
    };
    const admitted = person.admits(performance.now());
    if (!admitted.ok) return refuse(null, 'too-many', admitted.tell);
    const read = isInput ? readInput(payload) : readControl(payload);
    if ('message' in read) refuse(read.message.seq, 'watching');
    else refuse(read.seq, 'malformed');
  }
}
