import type { RoomState } from '../../../contracts/fleet/room.ts';
import type { InputReason } from '../../../contracts/resources/room.ts';
import type { Participant } from '../video/room.ts';
import type { Person } from './person.ts';

/** The decision about an event: it is carried out, requests control, counts as a heartbeat, or is refused. */
export type Verdict =
  | { readonly is: 'carried_out' | 'takes_over'; readonly clientId: string | null }
  | { readonly is: 'refused'; readonly reason: InputReason; readonly beats?: string };

const refused = (reason: InputReason): Verdict => ({ is: 'refused', reason });

/** Sender, epoch and client of an event. */
export interface Sent {
  readonly participant: Participant;
  readonly epoch: number;
  /** The client's id: from the message, else from the participant's attributes. */
  readonly clientId: string | undefined;
  /** The participants in the room. */
  readonly here: () => readonly Participant[];
}

/**
 * Decides about an event by the latest state from the control plane; undefined: none, or none recently. The first matching row counts:
 *
 * | state | decision |
 * |---|---|
 * | unknown | refused |
 * | a token to watch with | refused |
 * | the session is paused or closed, or there is no browser | refused |
 * | the mode is `ai` | refused |
 * | another epoch than the present one | refused |
 * | the mode is `manual` | carried out |
 * | pair, no client named | refused |
 * | pair, the agent drives | requests control |
 * | pair, another client of this participant drives or has requested control | requests control: its page was loaded again |
 * | pair, this client has requested control without a participant, and no one here is its participant | requests control: it names this one |
 * | pair, another client drives or has requested control | refused |
 * | pair, this client drives | carried out |
 * | pair, this client has requested control, or gives it back | refused; a request counts as a heartbeat |
 */
export function judge(state: RoomState | undefined, sent: Sent): Verdict {
  const { participant, epoch, clientId } = sent;
  if (state === undefined) return refused('no-contact');
  if (participant.right !== 'control') return refused('watching');
  if (state.status !== 'active') return refused(state.status);
  if (state.session_id === null) return refused('no-browser');
  if (state.mode === 'ai') return refused('agent-drives');
  if (epoch !== state.epoch) return refused('old-epoch');
  if (state.pair === null) return { is: 'carried_out', clientId: clientId ?? null };
  return clientId === undefined ? refused('client-required') : judgePair(state.pair, sent, clientId);
}

/** Whether the input of one of these people would be carried out now. */
export const isDriven = (state: RoomState | undefined, people: readonly Person[]): boolean =>
  state !== undefined &&
  // Who has joined again names a client only with the next message.
  people.some(({ participant, clientId = state.pair?.client_id ?? undefined }) => {
    const here = () => people.map((each) => each.participant);
    return judge(state, { participant, epoch: state.epoch, clientId, here }).is === 'carried_out';
  });

type Pair = NonNullable<RoomState['pair']>;

function judgePair(pair: Pair, { participant, here }: Sent, clientId: string): Verdict {
  const { kind, client_id } = pair;
  if (kind === 'ai-driving') return { is: 'takes_over', clientId };
  if (kind === 'handback-pending' || kind === 'handback-queued') return refused('handing-back');
  const isClients = client_id === clientId && isClient(participant, pair);
  if (!isClients) {
    const isNews = client_id === clientId ? mayBeNamed(participant, pair, here()) : isOwn(participant, pair);
    return isNews ? { is: 'takes_over', clientId } : refused('other-client');
  }
  if (kind === 'human-driving') return { is: 'carried_out', clientId };
  return { is: 'refused', reason: 'pending', beats: clientId };
}

/** Whether the takeover named this participant, whose page may have been loaded again since, with another client id. */
const isOwn = ({ identity, right }: Participant, { participant }: Pick<Pair, 'participant'>): boolean =>
  right === 'control' && identity === participant;

/**
 * Whether a participant that sends the id of the client that has requested control becomes its participant, as if its attributes claimed
 * that id: only where neither the takeover nor anyone here did so before.
 */
const mayBeNamed = ({ linkId }: Participant, pair: Pair, here: readonly Participant[]): boolean =>
  pair.kind !== 'human-driving' &&
  pair.participant === null &&
  linkId === undefined &&
  !here.some((each) => isClient(each, pair));

/**
 * Whether a participant is the client that drives or has requested control: the participant that the takeover named or, if it named none,
 * one whose attributes claim the client id. The claim of a participant with a link does not count, because client ids are not secret.
 */
export const isClient = (
  { attributes, identity, right, linkId }: Participant,
  { client_id, participant }: Pick<Pair, 'client_id' | 'participant'>,
): boolean => {
  if (right !== 'control' || client_id === null) return false;
  if (participant !== null) return identity === participant;
  return linkId === undefined && attributes.client_id === client_id;
};
