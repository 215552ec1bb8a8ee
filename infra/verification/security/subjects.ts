import { randomUUID } from 'node:crypto';
import { recipeBody, type RecipeBody } from '../../../contracts/events/recipe.ts';
import { toId, uuidOf, type AccountId, type IdKind, type WebhookId } from '../../../contracts/ids.ts';
import { recordContracts, type RecordContract } from '../../../contracts/records.ts';
import type { Route } from '../../../contracts/routes/index.ts';
import { events as orderEvents } from '../../../domain/order/testing.ts';
import type { Answer } from '../../http/testing.ts';
import { Conversation } from '../../../projections/testing/agent-sessions.ts';
import { metadataBy } from '../../../projections/testing/index.ts';
import { aPerson, join } from '../../../write-api/testing/team.ts';
import { soundBodies } from './attacks.ts';
import type { WholeService } from './whole-service.ts';

const recordKinds = recordContracts.map(({ kind }) => kind);

/** Kinds of subjects that the routes of the table have. */
export const subjectKinds = [
  'session',
  'agentSession',
  'link',
  'capture',
  'apiKey',
  'webhook',
  'webhookDelivery',
  'webhookReplay',
  ...recordKinds,
  'profile',
  'profileSnapshot',
  'invitation',
  'membership',
  'order',
  'request',
] as const satisfies readonly IdKind[];
export type SubjectKind = (typeof subjectKinds)[number];
export type Subjects = Readonly<Record<SubjectKind, string>>;

export const isSubject = (kind: IdKind): kind is SubjectKind => subjectKinds.some((each) => each === kind);

/** For a route whose path has two ids, the kind of the first one. */
export const withinOf = ({ path }: Route, { agentSession, webhook }: Subjects): string =>
  path.startsWith('/v1/agent-sessions/') ? agentSession : webhook;

interface Owner {
  readonly accountId: AccountId;
  readonly token: string;
}

/** Makes one of each kind in an account; `webhookDelivery` and `webhookReplay` are of that `webhook`. */
export async function makeSubjects(service: WholeService, owner: Owner): Promise<Subjects> {
  const webhook = await makeSubject(service, owner, 'webhook');
  const replay = await service.call(`POST /v1/webhooks/${webhook}/replay`, {
    token: owner.token,
    body: soundBodies['webhooks.replay'],
  });
  const agentSession = await makeAgentSession(service, owner);
  const link = await service.call(`POST /v1/agent-sessions/${agentSession}/links`, {
    token: owner.token,
    body: soundBodies['agent-session-links.create'],
  });
  return {
    session: await makeSubject(service, owner, 'session'),
    agentSession,
    link: String(link.json.id),
    // Simulated browsers keep none: access to captures is tested with real browsers.
    capture: toId('capture', randomUUID()),
    apiKey: await makeSubject(service, owner, 'apiKey'),
    webhook,
    webhookDelivery: await service.staff.delivery(owner.accountId, webhook as WebhookId),
    webhookReplay: String(replay.json.id),
    ...(await makeRecords(service, owner)),
    profile: await makeSubject(service, owner, 'profile'),
    profileSnapshot: await makeSubject(service, owner, 'profileSnapshot'),
    invitation: await makeSubject(service, owner, 'invitation'),
    order: await makeOrder(service, owner),
    request: await makeRequest(service, owner),
    membership: String((await join(service, owner, await aPerson(service), 'member')).membership_id),
  };
}

/** Creates an agent session with two messages, which need neither a model nor a browser. */
export async function makeAgentSession(
  { store, vault, caughtUp }: WholeService,
  { accountId }: Pick<Owner, 'accountId'>,
): Promise<string> {
  const talk = new Conversation(accountId, vault.seal);
  const events = [talk.created({ mode: 'manual' }), await talk.logged('one'), await talk.logged('two')];
  const metadata = metadataBy(accountId);
  await store.append(
    talk.stream,
    'no_stream',
    events.map((event) => ({ ...event, id: randomUUID(), metadata })),
  );
  await caughtUp();
  return talk.id;
}

type RecordKind = (typeof recordKinds)[number];

/** Creates one resource of each noun of records. */
async function makeRecords(
  service: WholeService,
  owner: Owner,
): Promise<Readonly<Record<RecordKind, string>>> {
  const made: Partial<Record<RecordKind, string>> = {};
  for (const kind of recordKinds)
    made[kind] = isByHand(kind)
      ? await byHand[kind](service, owner)
      : await makeSubject(service, owner, kind);
  return made as Record<RecordKind, string>;
}

/** Created as the service does from an agent session with an executed turn. */
async function makeRecipe(
  { store, vault, caughtUp }: WholeService,
  { accountId }: Pick<Owner, 'accountId'>,
): Promise<string> {
  const uuid = randomUUID();
  const id = toId('recipe', uuid);
  const body: RecipeBody = { name: 'a recipe', description: '', steps: [], parameters: [] };
  const fields = {
    ...{ agentSessionId: toId('agentSession', uuid), archetype: 'iphone-15', version: 1 },
    ...{ fromIndex: 0, toIndex: 1, sourceHash: 'a'.repeat(64) },
    sealedBody: await vault.seal(accountId, recipeBody, JSON.stringify(body)),
  };
  const data = { id, accountId, fields, at: new Date().toISOString() };
  const event = { id: randomUUID(), type: 'RecipeCreated', data, metadata: metadataBy(accountId) };
  await store.append(`recipe-${uuid}`, 'no_stream', [event]);
  await caughtUp();
  return id;
}

/** Creates a request that has placed an order. */
async function makeRequest(
  { store, caughtUp }: WholeService,
  { accountId }: Pick<Owner, 'accountId'>,
): Promise<string> {
  const request = toId('request', randomUUID());
  const orderId = toId('order', randomUUID());
  const metadata = { ...metadataBy(accountId), correlation_id: request, causation_id: request };
  const placed = { ...orderEvents.OrderPlaced({ orderId, accountId }), id: randomUUID(), metadata };
  await store.append(`order-${uuidOf(orderId)}`, 'no_stream', [placed]);
  await caughtUp();
  return request;
}

/** Creates an order that is paid and has a receipt, without a processor. */
export async function makeOrder(
  { store, caughtUp }: WholeService,
  { accountId }: Pick<Owner, 'accountId'>,
): Promise<string> {
  const orderId = toId('order', randomUUID());
  const of = { orderId, accountId };
  const metadata = metadataBy(accountId);
  await store.append(
    `order-${uuidOf(orderId)}`,
    'no_stream',
    [orderEvents.OrderPlaced(of), orderEvents.PaymentCreated(of), orderEvents.OrderPaid(of)].map((event) => ({
      ...event,
      ...{ id: randomUUID(), metadata },
    })),
  );
  await caughtUp();
  return orderId;
}

/** Records that no single request creates. */
const byHand = { recipe: makeRecipe } as const;
const isByHand = (kind: RecordKind): kind is keyof typeof byHand => kind in byHand;

/** The create route of a kind of the record kit. */
export function recordCreation(kind: RecordKind): Pick<Route, 'path' | 'id'> {
  const noun = recordContracts.find((each: RecordContract) => each.kind === kind);
  const routeId = `${noun?.name}.create`;
  const route = noun?.routes.find(({ id }: Route) => id === routeId);
  if (route === undefined) throw new Error(`There is no ${routeId}.`);
  return route;
}

const creations = {
  session: { path: '/v1/sessions', id: 'sessions.create' },
  agentSession: { path: '/v1/agent-sessions', id: 'agent-sessions.create' },
  apiKey: { path: '/v1/api-keys', id: 'api-keys.create' },
  webhook: { path: '/v1/webhooks', id: 'webhooks.create' },
  profile: { path: '/v1/profiles', id: 'profiles.create' },
  invitation: { path: '/v1/team/invites', id: 'team-invites.create' },
} as const satisfies Partial<Record<SubjectKind, Pick<Route, 'path' | 'id'>>>;

export type MadeKind = keyof typeof creations | 'profileSnapshot' | Exclude<RecordKind, keyof typeof byHand>;

/** Creates a resource of a kind that clients create. */
export const makeSubject = async (
  service: Pick<WholeService, 'call'>,
  owner: Pick<Owner, 'token'>,
  kind: MadeKind,
): Promise<string> => String((await createSubject(service, owner, kind)).json.id);

/** The answer of the request that creates one. */
export async function createSubject(
  service: Pick<WholeService, 'call'>,
  owner: Pick<Owner, 'token'>,
  kind: MadeKind,
): Promise<Answer> {
  const { path, id } =
    kind === 'profileSnapshot'
      ? {
          path: `/v1/profiles/${await makeSubject(service, owner, 'profile')}/snapshots`,
          id: 'profile-snapshots.create',
        }
      : isRecord(kind)
        ? recordCreation(kind)
        : creations[kind];
  const { token } = owner;
  return service.call(`POST ${path}`, { token, body: soundBodies[id] });
}

export const isMade = (kind: IdKind): kind is MadeKind =>
  kind in creations || kind === 'profileSnapshot' || (isRecord(kind) && !isByHand(kind));

const isRecord = (kind: IdKind): kind is RecordKind => recordKinds.some((each) => each === kind);
