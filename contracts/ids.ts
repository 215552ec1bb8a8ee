import { Type } from './schema.ts';

/** A public id is its prefix, if its kind has one, and a lower-case uuid. Requests, replies and events use the same id. */
export const idPrefixes = {
  session: 'ses',
  agentSession: 'agt',
  capture: 'cap',
  /** Of a link to a live view. */
  link: 'lnk',
  account: 'acc',
  apiKey: 'key',
  auditEntry: 'aud',
  node: 'nod',
  profile: 'prof',
  profileSnapshot: 'psnap',
  webhook: 'whk',
  webhookDelivery: 'dlv',
  webhookReplay: 'rpl',
  mail: 'mail',
  webSession: 'wses',
  membership: 'mem',
  invitation: 'inv',
  order: 'ord',
  recipe: 'rec',
  incident: 'inc',
  /** Of requests without an id of the caller. */
  request: 'req',
  statusSubscription: 'ssub',
  /** Without a prefix. */
  proxy: '',
} as const;

export type IdKind = keyof typeof idPrefixes;
export const idKinds = Object.keys(idPrefixes) as IdKind[];
/** TypeScript has no type for bare uuids. */
type OfPrefix<Prefix extends string> = Prefix extends '' ? string : `${Prefix}_${string}`;
export type Id<K extends IdKind> = OfPrefix<(typeof idPrefixes)[K]>;
export type SessionId = Id<'session'>;
export type AgentSessionId = Id<'agentSession'>;
export type CaptureId = Id<'capture'>;
export type LinkId = Id<'link'>;
export type AccountId = Id<'account'>;
export type ApiKeyId = Id<'apiKey'>;
export type NodeId = Id<'node'>;
export type WebhookId = Id<'webhook'>;
export type WebhookDeliveryId = Id<'webhookDelivery'>;
export type WebhookReplayId = Id<'webhookReplay'>;
export type MailId = Id<'mail'>;
export type WebSessionId = Id<'webSession'>;
export type ProfileId = Id<'profile'>;
export type ProfileSnapshotId = Id<'profileSnapshot'>;
export type ProxyId = Id<'proxy'>;
export type MembershipId = Id<'membership'>;
export type InvitationId = Id<'invitation'>;
export type OrderId = Id<'order'>;
export type RecipeId = Id<'recipe'>;
export type IncidentId = Id<'incident'>;
export type StatusSubscriptionId = Id<'statusSubscription'>;

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const before = (kind: IdKind): string => (idPrefixes[kind] === '' ? '' : `${idPrefixes[kind]}_`);
const patternOf = (kind: IdKind): string => `^${before(kind)}${uuid}$`;
const patterns = Object.fromEntries(idKinds.map((kind) => [kind, new RegExp(patternOf(kind))]));

const bare = new RegExp(`^${uuid}$`);
/** True for a uuid in lower case, without a prefix. */
export const isUuid = (text: string): boolean => bare.test(text);

/** The readable form of an id's pattern: `acc_<uuid>`. */
export const idFormOf = (pattern: string): string | undefined =>
  pattern.includes(uuid) ? pattern.replace(uuid, '<uuid>').slice(1, -1) : undefined;

export const idSchema = <K extends IdKind>(kind: K) =>
  Type.Unsafe<Id<K>>({ type: 'string', pattern: patternOf(kind) });

/** Makes an id from a uuid that the caller generated. */
export const toId = <K extends IdKind>(kind: K, value: string): Id<K> => (before(kind) + value) as Id<K>;

/** Parses an untrusted id; undefined unless it is of that kind. */
export const parseId = <K extends IdKind>(kind: K, text: string): Id<K> | undefined =>
  patterns[kind]?.test(text) ? (text as Id<K>) : undefined;

/** Parses the id of a profile; accepts its bare uuid as well. */
export const parseProfileId = (text: string): ProfileId | undefined =>
  parseId('profile', text) ?? parseId('profile', toId('profile', text));

/** True for the id of a request, also one chosen by the caller: safe in headers, logs and stored metadata. */
export const isRequestId = (text: string): boolean => /^[A-Za-z0-9_-]{8,128}$/.test(text);

/** The uuid in an id, as used in stream names. */
export const uuidOf = (id: string): string => id.slice(id.indexOf('_') + 1);
