import { agentSessionEvents } from './agent-session.ts';
import { accountEvents, emailEvents } from './account.ts';
import { accountSlotsEvents } from './account-slots.ts';
import { apiKeyEvents } from './api-key.ts';
import { auditHeadEvents } from './audit-head.ts';
import type { Category, Consequences } from './catalogue.ts';
import { recordContracts } from '../records.ts';
import type { TSchema } from '../schema.ts';
import { bundledLlmEvents, bundledSpendEvents } from './bundled-llm.ts';
import { emailPreferencesEvents } from './email-preferences.ts';
import { organizationEvents } from './organization.ts';
import { ownLlmKeyEvents } from './own-llm-key.ts';
import { deprecatedUseEvents } from './deprecated-use.ts';
import { deviceGrantEvents } from './device-grant.ts';
import { incidentEvents } from './incident.ts';
import { nodeEvents } from './node.ts';
import { accountProfilesEvents, profileEvents } from './profile.ts';
import { profileSnapshotEvents, profileSnapshotsEvents } from './profile-snapshot.ts';
import { orderEvents } from './order.ts';
import { probeEvents } from './probe.ts';
import { processorEventEvents } from './processor-event.ts';
import { publicTreeEvents } from './public-tree.ts';
import { receiptEvents } from './receipt.ts';
import { loginEvents } from './login.ts';
import { mailEvents } from './mail.ts';
import { secondFactorEvents } from './second-factor.ts';
import { sessionEvents } from './session.ts';
import { sessionHolderEvents } from './session-holder.ts';
import { cardCustomerEvents, subscriptionEvents } from './subscription.ts';
import { statusSubscriberEvents } from './status-subscriber.ts';
import { accountInvitationsEvents, teamMemberEvents } from './team-member.ts';
import { webhookDeliveryEvents } from './webhook-delivery.ts';
import { accountWebhooksEvents, webhookEndpointEvents } from './webhook-endpoint.ts';
import { webhookReplayEvents } from './webhook-replay.ts';
import { webSessionEvents } from './web-session.ts';

const own = [
  sessionEvents,
  accountSlotsEvents,
  accountEvents,
  emailEvents,
  loginEvents,
  apiKeyEvents,
  receiptEvents,
  nodeEvents,
  webhookEndpointEvents,
  accountWebhooksEvents,
  webhookDeliveryEvents,
  webhookReplayEvents,
  mailEvents,
  accountInvitationsEvents,
  webSessionEvents,
  organizationEvents,
  emailPreferencesEvents,
  ownLlmKeyEvents,
  bundledLlmEvents,
  bundledSpendEvents,
  secondFactorEvents,
  deviceGrantEvents,
  deprecatedUseEvents,
  teamMemberEvents,
  profileEvents,
  accountProfilesEvents,
  profileSnapshotEvents,
  profileSnapshotsEvents,
  agentSessionEvents,
  sessionHolderEvents,
  processorEventEvents,
  subscriptionEvents,
  cardCustomerEvents,
  orderEvents,
  incidentEvents,
  probeEvents,
  publicTreeEvents,
  auditHeadEvents,
  statusSubscriberEvents,
] as const;

/** Categories of nouns of records, two each. */
type OfRecords<Nouns> = Nouns extends readonly [
  { readonly events: infer Events; readonly quota: infer Reservations },
  ...infer Rest,
]
  ? [Events, Reservations, ...OfRecords<Rest>]
  : [];
type All = readonly [...typeof own, ...OfRecords<typeof recordContracts>];
const all: readonly Category[] = [...own, ...recordContracts.flatMap(({ events, quota }) => [events, quota])];

/**
 * Event types that occur in several categories. There must be none: read models, process managers, the audit log and others look
 * up an event by its type alone.
 */
export type Repeated<Categories, Seen = never> = Categories extends readonly [
  { readonly types: infer Types },
  ...infer Rest,
]
  ? (Named<Types> & Seen) | Repeated<Rest, Seen | Named<Types>>
  : never;

/** Types whose names the compiler knows. */
type Named<Types> = keyof { [Type in keyof Types as string extends Type ? never : Type]: unknown };

export type CategoryName = All[number]['name'];

type TypesOf<C> = C extends { readonly types: infer Types } ? Named<Types> & string : never;
/** The name of any event type. */
export type EventType = TypesOf<All[number]>;

/** Every stream category, by prefix of its streams. A type error if two share an event type. */
export const categories: [Repeated<All>] extends [never]
  ? Readonly<Record<string, Category>>
  : Repeated<All> = Object.fromEntries(all.map((each) => [each.name, each]));

type Kind = Exclude<keyof Consequences<Record<string, TSchema>>, 'versions' | 'retired'>;

/** The categories' declarations of one kind, by event type. */
const declared = <K extends Kind>(kind: K): Category[K] =>
  Object.assign({}, ...Object.values(categories).map((each) => each[kind])) as Category[K];

export const auditedTypes = declared('audit');
export const announcedTypes = declared('announced');
export const timerTypes = declared('timers');
export const personalTypes = declared('personal');

/** Categories with declarations of a kind. */
export const categoriesWith = (kind: Kind): readonly Category[] =>
  Object.values(categories).filter((each) => Object.keys(each[kind]).length > 0);
