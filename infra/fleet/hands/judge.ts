import type { RoomState } from '../../../contracts/fleet/room.ts';
import type { InputReason } from '../../../contracts/resources/room.ts';
import type { Participant } from '../video/room.ts';

/** What becomes of an event: it is carried out, asks for the controls, counts as a sign of life, or is refused. */
export type Verdict =
  | { readonly is: 'carried_out' | 'takes_over'; readonly clientId: string | null }
  | { readonly is: 'refused'; readonly reason: InputReason; readonly beats?: string };

const refused = (reason: InputReason): Verdict => ({ is: 'refused', reason });

/** Who sends, under which epoch, and by which client. */
export interface Sent {
  readonly participant: Participant;
  readonly epoch: number;
  /** Of the message or, where that has none, of the participant's attributes. */
  readonly clientId: string | undefined;
}

/**
 * Judges an event by what the control plane has said last; undefined: nothing, or not lately. The first row that applies counts:
 *
 * | what is known | then |
 * |---|---|
 * | nothing | refused |
 * | a token to watch with | refused |
 * | the session is paused or closed, or there is no browser | refused |
 * | the mode is `ai` | refused |
 * | another epoch than the present one | refused |
 * | the mode is `manual` | carried out |
 * | pair, no client named | refused |
 * | pair, the agent drives | asks for the controls |
 * | pair, another client drives or has asked | refused |
 * | pair, this client drives | carried out |
 * | pair, this client has asked, or gives back | refused; a sign of life |
 */
export function judge(state: RoomState | undefined, { participant, epoch, clientId }: Sent): Verdict {
  if (state === undefined) return refused('no-contact');
  if (participant.right !== 'control') return refused('watching');
  if (state.status !== 'active') return refused(state.status);
  if (state.session_id === null) return refused('no-browser');
  if (state.mode === 'ai') return refused('agent-drives');
  if (epoch !== state.epoch) return refused('old-epoch');
  if (state.pair === null) return { is: 'carried_out', clientId: clientId ?? null };
  return clientId === undefined ? refused('client-required') : judgePair(state.pair, participant, clientId);
}

type Pair = NonNullable<RoomState['pair']>;

function judgePair(pair: Pair, participant: Participant, clientId: string): Verdict {
  const { kind, client_id } = pair;
  if (kind === 'ai-driving') return { is: 'takes_over', clientId };
  if (kind === 'handback-pending' || kind === 'handback-queued') return refused('handing-back');
  if (client_id !== clientId || !isClient(participant, pair)) return refused('other-client');
  if (kind === 'human-driving') return { is: 'carried_out', clientId };
  return { is: 'refused', reason: 'pending', beats: clientId };
}

/**
 * Whether a participant is the client that drives or has asked: the one that the takeover named or, where it named none, the one that
 * says so of itself. Who came by a link is believed nothing: the names of clients are no secrets.
 */
export const isClient = (
  { attributes, identity, right, linkId }: Participant,
  { client_id, participant }: Pick<Pair, 'client_id' | 'participant'>,
): boolean => {
  if (right !== 'control' || client_id === null) return false;
  if (participant !== null) return identity === participant;
  return linkId === undefined && attributes.client_id === client_id;
};
