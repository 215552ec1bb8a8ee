import type { SessionId } from '../../../../contracts/ids.ts';
import type { Canary } from '../evidence/index.ts';
import type { Exchange } from '../history.ts';
import type { Random } from '../random.ts';
import type { World } from '../world/index.ts';
import type { Call, Client } from './client.ts';

/** A key of an account, as its holder knows it. Times are milliseconds since the epoch. */
export interface HeldKey {
  readonly id: string;
  readonly token: string;
  readonly revokedAt?: number;
}

/** One customer's program in the workload, and what it knows. */
export interface Player {
  readonly client: Client;
  readonly world: World;
  /** Not known to have ended. */
  readonly sessions: Set<SessionId>;
  readonly keys: Map<string, HeldKey>;
  /** Endpoints, and deliveries that have arrived, by id. */
  readonly webhooks: Set<string>;
  readonly deliveries: Set<string>;
  /** Creates under an idempotency key whose outcome is not known yet. */
  readonly open: Map<string, Call>;
  readonly canaries: Canary[];
}

export const newPlayer = (client: Client, world: World): Player => ({
  client,
  world,
  sessions: new Set(),
  keys: new Map(),
  webhooks: new Set(),
  deliveries: new Set(),
  open: new Map(),
  canaries: [],
});

/** One kind of step. What it does depends on `random` and on what the player knows by then. */
export type Action = (player: Player, random: Random) => Promise<Exchange | void>;
