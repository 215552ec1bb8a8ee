import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { RoomRequest, RoomState } from '../../../contracts/fleet/room.ts';
import type { AgentSessionId } from '../../../contracts/ids.ts';
import type { InputReason } from '../../../contracts/resources/room.ts';
import type { Participant } from '../video/room.ts';
import type { ControlLine } from './control-line.ts';
import { isClient } from './judge.ts';

export interface PresenceOptions {
  readonly id: AgentSessionId;
  readonly line: Pick<ControlLine, 'ask'>;
  readonly logger: Logger;
  /** Milliseconds after which a client whose connection broke has left. */
  readonly leaveMs?: number;
}

/** Milliseconds until a grant is asked for again that nobody answered. */
const againMs = 1_000;

type Pair = NonNullable<RoomState['pair']>;

/** What a refusal of the control plane is for whoever asked. */
const reasons: Readonly<Record<string, InputReason>> = {
  'pair-mode-conflict': 'other-client',
  'pair-mode-invalid-transition': 'handing-back',
  conflict: 'paused',
  'not-found': 'no-browser',
};

/**
 * Tells the control plane what the coming and going of clients means: one that asked and is here gets the controls, one that drives and
 * sends something keeps them, and one that drives and leaves gives them back.
 */
export class Presence {
  private readonly options: PresenceOptions;
  private readonly leaving = new Map<string, NodeJS.Timeout>();
  private beatenAt = 0;
  private granting: string | undefined;
  /** What is known by now of who asked and who is here. */
  private latest: readonly [RoomState | undefined, readonly Participant[]] = [undefined, []];

  constructor(options: PresenceOptions) {
    this.options = options;
  }

  /** Null: the controls are asked for. */
  async ask(
    kind: 'takeover' | 'handback',
    participant: Participant,
    client_id: string,
    trigger: RoomRequest['trigger'],
  ): Promise<InputReason | null> {
    const request = { ...requestOf(kind, participant, client_id), trigger };
    try {
      const refused = await this.options.line.ask(this.options.id, request);
      return refused === null ? null : (reasons[refused] ?? 'failed');
    } catch {
      return 'no-contact';
    }
  }

  /** Who is here may have what it has asked for. */
  async grant(state: RoomState | undefined, here: readonly Participant[]): Promise<void> {
    this.latest = [state, here];
    const pair = state?.pair;
    if (!state || pair?.kind !== 'takeover-pending' || pair.client_id === null) return;
    if (state.status !== 'active' || state.session_id === null) return;
    const client = here.find((participant) => isClient(participant, pair));
    const key = `${state.epoch} ${pair.client_id}`;
    if (client === undefined || this.granting === key) return;
    this.granting = key;
    try {
      const refused = await this.options.line.ask(
        this.options.id,
        requestOf('grant', client, pair.client_id),
      );
      if (refused !== null) this.options.logger.info({ refused }, 'A takeover was not granted.');
    } catch (error) {
      this.granting = undefined;
      this.options.logger.warn({ err: error }, 'A takeover could not be granted; it is tried again.');
      setTimeout(() => void this.grant(...this.latest), againMs).unref();
    }
  }

  /** A sign of life, told now and then. */
  beat(state: RoomState, participant: Participant, client_id: string): void {
    const now = performance.now();
    if (now - this.beatenAt < state.heartbeat_ms / 6) return;
    this.beatenAt = now;
    void this.tell('beat', participant, client_id);
  }

  /** The client that drives is here again. */
  came(pair: Pair | null | undefined, participant: Participant): void {
    if (!pair || !isClient(participant, pair) || pair.client_id === null) return;
    clearTimeout(this.leaving.get(pair.client_id));
    this.leaving.delete(pair.client_id);
  }

  /** Whoever has gone and drove gives the controls back: at once, or when the connection does not come back. */
  left(pair: Pair | null | undefined, participant: Participant, why: 'closed' | 'lost'): void {
    if (pair?.kind !== 'human-driving' || pair.client_id === null || !isClient(participant, pair)) return;
    const { client_id } = pair;
    const giveBack = () => {
      this.leaving.delete(client_id);
      void this.tell('handback', participant, client_id);
    };
    if (why === 'closed') return giveBack();
    clearTimeout(this.leaving.get(client_id));
    this.leaving.set(client_id, setTimeout(giveBack, this.options.leaveMs ?? 5_000));
  }

  /** Where the control plane cannot be told, it misses the heartbeats of who has left. */
  private async tell(kind: 'beat' | 'handback', participant: Participant, client_id: string): Promise<void> {
    try {
      await this.options.line.ask(this.options.id, requestOf(kind, participant, client_id));
    } catch (error) {
      this.options.logger.warn({ err: error, kind }, 'The control plane could not be told of a client.');
    }
  }
}

const requestOf = (kind: RoomRequest['kind'], { identity }: Participant, client_id: string): RoomRequest => ({
  ...{ request_id: randomUUID(), kind, trigger: 'takeover' as const },
  ...{ client_id, participant: identity },
});
