import type { AgentSessionId, MembershipId, ProfileId, SessionId } from '../../../../contracts/ids.ts';
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

/** What an order's customer was once asked to pay: an order has another one in each currency. */
export interface CryptoBill {
  readonly order: string;
  readonly payment: string;
}

/** What somebody who is signed in holds. */
export interface WebSession {
  /** The id of the exchange that opened it. */
  readonly opened: string;
  access: string;
  refresh: string;
}

/** Somebody who signs up with an address of their own, and what they know for certain. */
export interface Person {
  readonly email: string;
  /** Undefined while it is not known which of two it is, if any. */
  password: string | undefined;
  signedUp: boolean;
  verified: boolean;
  /** Those that are open. */
  sessions: WebSession[];
  /** Those that have ended, for one more try. */
  readonly ended: WebSession[];
  /** The passwords that links of resets were used with, by token. */
  readonly resets: Map<string, string>;
  /** Tokens of which it is known that they were used, or do not work. */
  readonly spent: Set<string>;
}

/** Somebody with an account, whom an owner has on the team now and then. */
export interface Colleague {
  readonly client: Client;
  readonly email: string;
  /** The same one in each invitation of this address; undefined before the first is acknowledged. */
  membershipId: MembershipId | undefined;
  /** As far as the answers said. */
  isMember: boolean;
  /** Tokens of invitations of which it is known that they were used, or do not work. */
  readonly spent: Set<string>;
}

/** One customer's program in the workload, and what it knows. */
export interface Player {
  readonly client: Client;
  readonly world: World;
  /** Not known to have ended. */
  readonly sessions: Set<SessionId>;
  readonly keys: Map<string, HeldKey>;
  /** Profiles, each with its session while it is known to have one. */
  readonly profiles: Map<ProfileId, SessionId | undefined>;
  /** Agent sessions that are not known to be closed, and what was said to them under a key. */
  readonly agents: Set<AgentSessionId>;
  readonly said: Call[];
  /** Endpoints, and deliveries that have arrived, by id. */
  readonly webhooks: Set<string>;
  readonly deliveries: Set<string>;
  /** Creates under an idempotency key whose outcome is not known yet. */
  readonly open: Map<string, Call>;
  /** Checkout pages of the card processor that were opened. */
  readonly checkouts: string[];
  /** What customers were asked to pay, the newest last. */
  readonly bills: CryptoBill[];
  /** Those who sign up by this program. */
  readonly people: Person[];
  /** Those who are invited to the account's team, and act on the account with keys of their own. */
  readonly colleagues: readonly Colleague[];
  readonly canaries: Canary[];
}

export const newPlayer = (client: Client, world: World, colleagues: readonly Colleague[] = []): Player => ({
  client,
  world,
  people: [],
  colleagues,
  sessions: new Set(),
  keys: new Map(),
  profiles: new Map(),
  agents: new Set(),
  said: [],
  webhooks: new Set(),
  deliveries: new Set(),
  open: new Map(),
  checkouts: [],
  bills: [],
  canaries: [],
});

/** One kind of step. What it does depends on `random` and on what the player knows by then. */
export type Action = (player: Player, random: Random) => Promise<Exchange | void>;
