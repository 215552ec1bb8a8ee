import type { Tier } from '../../../../contracts/tiers.ts';
import { neighbour } from '../invariants/n21-neighbours.ts';
import { peopleInRooms } from '../invariants/n31-people-get-in.ts';
import type { Browsers } from '../world/index.ts';
import { agentActions } from './agent-actions.ts';
import { auditActions } from './audit-actions.ts';
import { cardActions } from './card-actions.ts';
import { keyActions } from './key-actions.ts';
import { linkActions } from './link-actions.ts';
import { liveActions } from './live-actions.ts';
import { orderActions } from './order-actions.ts';
import { pageActions } from './page-actions.ts';
import { peopleActions } from './people-actions.ts';
import { profileActions } from './profile-actions.ts';
import { sessionActions } from './session-actions.ts';
import { staffActions } from './staff-actions.ts';
import { teamActions } from './team-actions.ts';
import { webhookActions } from './webhook-actions.ts';

export const actions = {
  ...sessionActions,
  ...keyActions,
  ...staffActions,
  ...webhookActions,
  ...peopleActions,
  ...linkActions,
  ...teamActions,
  ...profileActions,
  ...agentActions,
  ...liveActions,
  ...cardActions,
  ...orderActions,
  ...pageActions,
  ...auditActions,
};
export type ActionName = keyof typeof actions;

/** A kind of customer: an account, the programs that use it at once, and the probabilities of their steps. */
export interface Actor {
  readonly name: string;
  readonly tier: Tier;
  readonly players: number;
  /** The browsers it works with; simulated ones by default. */
  readonly browsers?: Browsers;
  /** Number of other accounts per program that are sometimes on its team. */
  readonly colleagues?: number;
  /** True if its programs share their agent sessions. */
  readonly sharesAgents?: true;
  /** Maximal milliseconds between two steps of a player. */
  readonly thinkMs: number;
  readonly does: Readonly<Partial<Record<ActionName, number>>>;
}

/** The actors of every run. A new feature adds an entry here, with its actions above. */
export const actors: readonly Actor[] = [
  {
    name: 'fleet user',
    tier: 'api_scale',
    players: 2,
    thinkMs: 60,
    does: {
      create: 2,
      'create and get': 1,
      operate: 12,
      'operate twice at once': 2,
      destroy: 1,
      'destroy under an operation': 1,
      'destroy and get': 1,
      get: 3,
      list: 1,
    },
  },
  {
    name: 'careful creator',
    tier: 'team',
    players: 2,
    thinkMs: 120,
    does: {
      'create, with a key': 4,
      'create twice at once': 2,
      'retry a create': 4,
      operate: 2,
      destroy: 4,
      get: 2,
    },
  },
  {
    name: 'racers for one slot',
    tier: 'personal',
    players: 2,
    thinkMs: 150,
    does: { create: 4, operate: 3, destroy: 3, 'destroy under an operation': 1, list: 1 },
  },
  {
    name: 'free user',
    tier: 'free',
    players: 1,
    thinkMs: 400,
    does: { create: 3, operate: 3, get: 2, 'register an endpoint': 0.5 },
  },
  {
    name: 'key keeper',
    tier: 'api_builder',
    players: 1,
    thinkMs: 200,
    does: {
      'create a key': 3,
      'use a key': 4,
      'rotate a key': 1,
      'revoke a key': 3,
      'try a revoked key': 3,
      'register an endpoint': 0.5,
      'change an endpoint': 0.5,
      'ask for a signed head': 2,
      'ask for two signed heads at once': 1,
      'read the public head': 1,
    },
  },
  {
    name: 'suspended now and then',
    tier: 'api_starter',
    players: 1,
    thinkMs: 150,
    does: { create: 3, operate: 6, get: 2, 'suspend for a while': 1, 'register an endpoint': 1 },
  },
  {
    name: 'receiver of events',
    tier: 'api_scale',
    players: 2,
    thinkMs: 120,
    does: {
      'register an endpoint': 4,
      'change an endpoint': 2,
      'delete an endpoint': 0.7,
      'rotate a secret': 2,
      'test an endpoint': 2,
      'list deliveries': 3,
      'replay a delivery': 2,
      'replay a range': 0.5,
      create: 5,
      operate: 3,
      destroy: 5,
    },
  },
  {
    name: 'people',
    tier: 'personal',
    players: 2,
    thinkMs: 150,
    does: {
      'sign up': 1.5,
      'sign up twice at once': 0.7,
      'sign up again': 1,
      'ask for a link': 2,
      'open a link': 7,
      'reset the password, signed in': 2.5,
      'open a link that is spent': 1,
      'sign in': 3,
      'use a web session': 5,
      'refresh a web session': 2,
      'refresh a web session twice at once': 0.5,
      'sign out': 0.7,
      'use a web session that has ended': 2,
    },
  },
  {
    name: 'team owner',
    tier: 'team',
    players: 2,
    colleagues: 2,
    thinkMs: 150,
    does: {
      invite: 4,
      'accept an invitation': 5,
      'withdraw an invitation while it is accepted': 1,
      'act on the owner’s account': 5,
      'remove a member': 2,
      'list the team': 1,
    },
  },
  {
    name: 'profile user',
    tier: 'agency',
    players: 2,
    thinkMs: 120,
    does: {
      'create a profile': 1,
      'launch a profile': 4,
      'launch a profile twice at once': 1,
      'visit with a profile': 8,
      'end the session of a profile': 3,
      'end the session of a profile and launch it': 2,
      'trim a profile': 1,
    },
  },
  {
    name: 'talker to agents',
    tier: 'agency',
    players: 2,
    thinkMs: 120,
    does: {
      'open an agent session': 2,
      'say what the grammar understands': 8,
      'say what a model is asked about': 2,
      'say the same twice at once': 1,
      'say it again': 3,
      'take over under a message': 1,
      'change the mode': 1,
      'close an agent session': 1,
      'close under a message': 0.5,
    },
  },
  {
    name: peopleInRooms,
    tier: 'api_scale',
    players: 5,
    sharesAgents: true,
    thinkMs: 150,
    does: {
      'open a room': 2,
      'watch a room': 4,
      'drive in a room': 4,
      'two drive in a room at once': 1,
      'drive in a room under a message': 2,
      'say what the grammar understands': 1,
      'give a room to people': 1,
      'change the mode': 0.3,
      'close an agent session': 0.5,
    },
  },
  {
    name: 'payer by card',
    tier: 'free',
    players: 2,
    thinkMs: 200,
    does: {
      'open a checkout': 2,
      'open two checkouts at once': 0.7,
      'subscribe by card': 3,
      'a period begins': 4,
      'a failed payment is tried again': 3,
      'the price is changed': 1,
      'the subscription is given up': 0.7,
      'the subscription ends with its period': 0.7,
      'the subscription is cancelled': 1.5,
      'open the portal': 1,
      'read the subscription': 2,
      'place an order': 0.7,
      'pay an order': 0.7,
    },
  },
  {
    name: 'payer with crypto',
    tier: 'free',
    players: 2,
    thinkMs: 200,
    does: {
      'place an order': 4,
      'place an order twice at once': 1,
      'place an order again': 2,
      'pay an order in another currency': 2,
      'cancel an order': 0.7,
      'cancel an order while it is paid': 0.7,
      'pay an order': 4,
      'pay an order at once': 1,
      'pay half of an order': 2,
      'pay an order twice over': 1,
      'begin to pay an order': 1,
      'a payment fails': 0.7,
      'the processor gives a payment up': 0.7,
      'the processor calls back once more': 1,
      'list orders': 1,
    },
  },
  {
    name: 'visitor of hostile pages',
    browsers: 'webkit',
    tier: 'team',
    players: 2,
    thinkMs: 500,
    does: { 'visit a hostile page': 6, create: 1, destroy: 4, get: 1 },
  },
  {
    name: `${peopleInRooms} of pages`,
    browsers: 'webkit',
    tier: 'team',
    players: 2,
    sharesAgents: true,
    thinkMs: 300,
    does: { 'open a room': 2, 'watch a room': 4, 'drive in a room': 3, 'close an agent session': 0.2 },
  },
  {
    name: neighbour,
    browsers: 'webkit',
    tier: 'team',
    players: 2,
    thinkMs: 200,
    does: { 'visit an ordinary page': 12, create: 1, destroy: 1, get: 1, list: 1 },
  },
];
