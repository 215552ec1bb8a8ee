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

/** A payment that an order's customer was asked for. An order has one for each currency. */
export interface CryptoBill {
  readonly order: string;
  readonly payment: string;
}

/** Tokens of a signed-in person. */
export interface WebSession {
  /** Id of the exchange that opened it. */
  readonly opened: string;
  access: string;
  refresh: string;
}

/** A person who signs up with an address of their own, and what is known for certain about them. */
export interface Person {
  readonly email: string;
  /** Undefined while it is unknown which of two passwords is valid, if any. */
  password: string | undefined;
  signedUp: boolean;
  verified: boolean;
  /** Open sessions. */
  sessions: WebSession[];
  /** Ended sessions, for one more try. */
  readonly ended: WebSession[];
  /** Passwords that reset links were used with, by token. */
  readonly resets: Map<string, string>;
  /** Tokens that are known to be used or invalid. */
  readonly spent: Set<string>;
}

/** A person with an account, who is sometimes on an owner's team. */
export interface Colleague {
  readonly client: Client;
  readonly email: string;
  /** The same in each invitation of this address; undefined before the first is acknowledged. */
  membershipId: MembershipId | undefined;
  /** Membership according to the answers. */
  isMember: boolean;
  /** Tokens of invitations that are known to be used or invalid. */
  readonly spent: Set<string>;
}

/** One customer's program in the workload, with its state. */
export interface Player {
  readonly client: Client;
  readonly world: World;
  /** Sessions that are not known to have ended. */
  readonly sessions: Set<SessionId>;
  readonly keys: Map<string, HeldKey>;
  /** Profiles, each with its session as far as known. */
  readonly profiles: Map<ProfileId, SessionId | undefined>;
  /** Agent sessions that are not known to be closed, its own or all of its account's, and messages sent to them with a key. */
  readonly agents: Set<AgentSessionId>;
  readonly said: Call[];
  /** Endpoints, and deliveries that have arrived, by id. */
  readonly webhooks: Set<string>;
  readonly deliveries: Set<string>;
  /** Opened checkout pages of the card processor. */
  readonly checkouts: string[];
  /** Payments that customers were asked for, the newest last. */
  readonly bills: CryptoBill[];
  /** People that sign up through this program. */
  readonly people: Person[];
  /** People that are invited to the account's team, and act on the account with their own keys. */
  readonly colleagues: readonly Colleague[];
  readonly canaries: Canary[];
}

export const newPlayer = (
  client: Client,
  world: World,
  colleagues: readonly Colleague[] = [],
  agents = new Set<AgentSessionId>(),
): Player => ({
  client,
  world,
  people: [],
  colleagues,
  sessions: new Set(),
  keys: new Map(),
  profiles: new Map(),
  agents,
  said: [],
  webhooks: new Set(),
  deliveries: new Set(),
  checkouts: [],
  bills: [],
  canaries: [],
});

/** An action's calls of unknown outcome, to be sent again with their keys. */
export const openCalls = ({ client }: Player, action: string): readonly Call[] =>
  [...client.open.values()].filter((call) => call.action === action);

/** One kind of step. Its effect depends on `random` and on the player's knowledge at that time. */
export type Action = (player: Player, random: Random) => Promise<Exchange | void>;
