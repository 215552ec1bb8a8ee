import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { RoomRequest, RoomState } from '../../../contracts/fleet/room.ts';
import type { AgentSessionId } from '../../../contracts/ids.ts';
import type { InputReason } from '../../../contracts/resources/room.ts';
import type { Participant } from '../video/room.ts';
import type { ControlLine } from './control-line.ts';
import { isClient } from './judge.ts';
import type { Person } from './person.ts';

export interface PresenceOptions {
  readonly id: AgentSessionId;
  readonly line: Pick<ControlLine, 'ask'>;
  readonly logger: Logger;
  /** The latest known state, and the participants that are present. */
  readonly known: () => readonly [RoomState | undefined, readonly Person[]];
  /** Milliseconds after which a client whose connection broke counts as gone. */
  readonly leaveMs?: number;
}

/** Milliseconds until a failed grant is retried. */
const againMs = 1_000;

type Pair = NonNullable<RoomState['pair']>;

/** Refusals of the control plane as reasons for the participant. */
const reasons: Readonly<Record<string, InputReason>> = {
  'pair-mode-conflict': 'other-client',
  'pair-mode-invalid-transition': 'handing-back',
  // The mode has changed, or the session is paused or closed: this node's state was older.
  conflict: 'old-epoch',
  'not-found': 'no-browser',
};

/**
 * Reports to the control plane what clients' presence means: a present client that requested control gets it, one that drives and sends
 * input keeps it, and one that drives and leaves gives it back.
 */
export class Presence {
  readonly #options: PresenceOptions;
  readonly #leaving = new Map<string, NodeJS.Timeout>();
  #beatenAt = -Infinity;
  #granting: string | undefined;
  /** Retries a failed grant. */
  #retry: NodeJS.Timeout | undefined;

  constructor(options: PresenceOptions) {
    this.#options = options;
  }

  /** Resolves with null if control was requested. */
  async ask(
    kind: 'takeover' | 'handback',
    participant: Participant,
    client_id: string,
    trigger: RoomRequest['trigger'],
  ): Promise<InputReason | null> {
    const request = { ...requestOf(kind, participant, client_id), trigger };
    try {
      const refused = await this.#options.line.ask(this.#options.id, request);
      return refused === null ? null : (reasons[refused] ?? 'failed');
    } catch {
      return 'no-contact';
    }
  }

  /**
   * Grants a requested takeover if its client is present. If its participant is present under another client id, because the page
   * was loaded again, that client requests the controls in its place. Called after each change of the state or the participants.
   */
  async grant(): Promise<void> {
    clearTimeout(this.#retry);
    const [state, here] = this.#options.known();
    const due = state && grantDue(state, here);
    if (due === undefined) return;
    const { kind, participant, clientId } = due;
    const key = `${state?.epoch} ${clientId}`;
    if (this.#granting === key) return;
    this.#granting = key;
    try {
      const refused = await this.#options.line.ask(this.#options.id, requestOf(kind, participant, clientId));
      if (refused !== null) this.#options.logger.info({ refused }, 'A takeover was not granted.');
    } catch (error) {
      this.#granting = undefined;
      this.#options.logger.warn({ err: error }, 'A takeover could not be granted; retrying.');
      clearTimeout(this.#retry);
      this.#retry = setTimeout(() => void this.grant(), againMs).unref();
    }
  }

  /** Sends a heartbeat, at most six within `heartbeat_ms`. */
  beat(state: RoomState, participant: Participant, client_id: string): void {
    const now = performance.now();
    if (now - this.#beatenAt < state.heartbeat_ms / 6) return;
    this.#beatenAt = now;
    void this.#tell('beat', participant, client_id);
  }

  /** Cancels the handback of a driving client that has returned, unless it is known to be another page of its participant. */
  came(pair: Pair | null | undefined, participant: Participant): void {
    if (!pair || !isClient(participant, pair) || pair.client_id === null) return;
    if ((participant.attributes.client_id ?? pair.client_id) !== pair.client_id) return;
    clearTimeout(this.#leaving.get(pair.client_id));
    this.#leaving.delete(pair.client_id);
  }

  /** Gives back control of a driving client that has left: at once, or after a broken connection unless it returns. */
  left(pair: Pair | null | undefined, participant: Participant, why: 'closed' | 'lost'): void {
    if (pair?.kind !== 'human-driving' || pair.client_id === null || !isClient(participant, pair)) return;
    const { client_id } = pair;
    const giveBack = () => {
      this.#leaving.delete(client_id);
      void this.#tell('handback', participant, client_id);
    };
    if (why === 'closed') return giveBack();
    clearTimeout(this.#leaving.get(client_id));
    this.#leaving.set(client_id, setTimeout(giveBack, this.#options.leaveMs ?? 5_000));
  }

  /** Sends a heartbeat or a handback. If the call fails, the control plane notices the client's missing heartbeats. */
  async #tell(kind: 'beat' | 'handback', participant: Participant, client_id: string): Promise<void> {
    try {
      await this.#options.line.ask(this.#options.id, requestOf(kind, participant, client_id));
    } catch (error) {
      this.#options.logger.warn({ err: error, kind }, 'A client could not be reported to the control plane.');
    }
  }
}

/** The request that is due for a takeover that is pending; undefined if there is none, or its participant is not here. */
function grantDue({ pair, status, session_id }: RoomState, here: readonly Person[]) {
  if (pair?.kind !== 'takeover-pending' || pair.client_id === null) return undefined;
  if (status !== 'active' || session_id === null) return undefined;
  const client = here.find(({ participant }) => isClient(participant, pair));
  if (client === undefined) return undefined;
  const clientId = client.clientId ?? pair.client_id;
  const kind = clientId === pair.client_id ? ('grant' as const) : ('takeover' as const);
  return { kind, participant: client.participant, clientId };
}

export const requestOf = (
  kind: RoomRequest['kind'],
  { identity }: Participant,
  client_id: string,
): RoomRequest => ({
  ...{ request_id: randomUUID(), kind, trigger: 'takeover' as const },
  ...{ client_id, participant: identity },
});
