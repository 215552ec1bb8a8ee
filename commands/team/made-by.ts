import { apiKeyEvents, type ApiKeyEvent } from '../../contracts/events/api-key.ts';
import { streamOf } from '../../contracts/events/catalogue.ts';
import { webhookEndpointEvents } from '../../contracts/events/webhook-endpoint.ts';
import { creatorOf, type Creator } from '../../contracts/resources/creator.ts';
import type { Made } from '../../contracts/events/team-member.ts';
import { uuidOf, type AccountId, type ApiKeyId, type WebhookId } from '../../contracts/ids.ts';
import { refuse, type Refusal } from '../../contracts/problems.ts';
import { accountWebhooks } from '../../domain/account-webhooks.ts';
import { everReserved } from '../../domain/account-keys.ts';
import { account } from '../../domain/account.ts';
import { apiKey } from '../../domain/api-key.ts';
import { compare } from '../../infra/event-store/client/position.ts';
import type { EventStore, Position } from '../../infra/event-store/client/types.ts';
import type { ApiKeyCommands } from '../api-key/index.ts';
import { isActiveKey } from '../api-key/validity.ts';
import { ownedContext, ownedStep, stepContext, type Caller, type CommandContext } from '../engine/context.ts';
import { inBatches } from '../engine/in-batches.ts';
import { hasKnownType } from '../engine/recording.ts';
import { release } from '../engine/reservations.ts';
import type { CommandPorts } from '../engine/runner.ts';
import { webhookQuota } from '../webhook-endpoint/reservations.ts';

export interface MadeByPorts extends CommandPorts {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly apiKeys: Pick<ApiKeyCommands, 'find' | 'revoke'>;
}

type ReadingPorts = Pick<MadeByPorts, 'runner' | 'clock' | 'store'>;

/** Streams read at once. */
const atOnce = 32;

/**
 * The owner's keys and endpoints that a member created and that still work, including rotated keys within their grace. Endpoints
 * also if they were created with such a key, whether or not it still works. No key is created with one: that needs
 * `account_owner`, which an admin cannot give.
 */
export async function madeBy(ports: ReadingPorts, owner: AccountId, member: AccountId): Promise<Made> {
  const { state } = await ports.runner.load(account, uuidOf(owner));
  const { reservations } = (await ports.runner.load(accountWebhooks, uuidOf(owner))).state;
  const endpoints = reservations.map(({ id }) => id as WebhookId);
  const theirs = await onlyThose(
    state.status === 'none' ? [] : everReserved(state),
    async (id) => (await keyMakerOf(ports, id))?.account_id === member,
  );
  const theirKeys = new Set<string | null>(theirs);
  return {
    // Only keys that have a maker are loaded: loading one that is being created would wait for that.
    apiKeys: await onlyThose(theirs, (id) => isActiveKey(ports, id)),
    webhooks: await onlyThose(endpoints, async (id) => {
      const maker = await makerOf(ports, streamOf(webhookEndpointEvents, uuidOf(id)));
      return maker !== null && (maker.account_id === member || theirKeys.has(maker.api_key_id));
    }),
  };
}

/**
 * Ends all of that; idempotent. It is looked up twice, since an endpoint can be created with a key until that is revoked. Returns
 * the position of the last change.
 */
export async function endMadeBy(
  ports: MadeByPorts,
  owner: AccountId,
  member: AccountId,
  context: CommandContext,
): Promise<Position | undefined> {
  const end = async () => endMade(ports, owner, await madeBy(ports, owner, member), context);
  const first = await end();
  return (await end()) ?? first;
}

/** Ends them; idempotent. Returns the position of the last change. */
export async function endMade(
  ports: MadeByPorts,
  owner: AccountId,
  { apiKeys, webhooks }: Made,
  context: CommandContext,
): Promise<Position | undefined> {
  const step = (id: string) => stepContext(context, `end ${id}`);
  const endpoints = webhookQuota(ports);
  const revoked = await inBatches(apiKeys, atOnce, async (id) =>
    ports.apiKeys.revoke(await ports.apiKeys.find(owner, id), 'owner', step(id)),
  );
  const deleted = await inBatches(webhooks, atOnce, async (id) => {
    await endpoints.end(id, owner, ownedStep(step(id), owner, 'delete'));
    return (await release(endpoints, { accountId: owner, id, name: null }, ownedContext(step(id), owner)))
      .position;
  });
  return [...revoked, ...deleted]
    .filter((position) => position !== undefined)
    .sort(compare)
    .at(-1);
}

export interface MakingPorts extends MadeByPorts {
  readonly teams: { readonly role: (owner: AccountId, member: AccountId) => Promise<unknown> };
}

/**
 * Ends what a member creates during their removal, and throws what a removed member gets; likewise with a key that is revoked
 * meanwhile. The remover reads the created resources after storing the removal and the revocations, and the creator reads these
 * after storing the resource: one of the two finds the other.
 */
export async function endUnlessAllowed(
  ports: MakingPorts,
  caller: Pick<Caller, 'accountId' | 'actorId' | 'keyId' | 'context'>,
  made: Partial<Made>,
): Promise<void> {
  const refusal = await refusalOf(ports, caller);
  if (refusal === undefined) return;
  const { accountId, context } = caller;
  await endMade(ports, accountId, { apiKeys: [], webhooks: [], ...made }, stepContext(context, 'removed'));
  throw refusal;
}

async function refusalOf(
  { runner, teams }: MakingPorts,
  { accountId, actorId, keyId }: Pick<Caller, 'accountId' | 'actorId' | 'keyId'>,
): Promise<Refusal | undefined> {
  if (actorId !== accountId && (await teams.role(accountId, actorId)) === undefined)
    return refuse('not-found');
  if (keyId === null) return undefined;
  const { state } = await runner.load(apiKey, uuidOf(keyId));
  return state.status === 'revoked' ? refuse('revoked-key') : undefined;
}

/**
 * The account that got the key: of a successor, the one that rotated the old key, because a revocation of the old key can complete
 * the rotation. Null if there is none, as for `makerOf`.
 */
async function keyMakerOf({ store }: Pick<MadeByPorts, 'store'>, id: ApiKeyId): Promise<Creator | null> {
  for await (const event of store.readStream(streamOf(apiKeyEvents, uuidOf(id)))) {
    if (!hasKnownType<ApiKeyEvent>(apiKeyEvents, event) || event.type !== 'ApiKeyCreated') return null;
    const { rotatedFrom } = event.data;
    return rotatedFrom === null ? creatorOf(event.metadata.actor) : rotatorOf(store, rotatedFrom);
  }
  return null;
}

async function rotatorOf(store: MadeByPorts['store'], id: ApiKeyId): Promise<Creator | null> {
  for await (const { type, metadata } of store.readStream(streamOf(apiKeyEvents, uuidOf(id))))
    if (type === 'ApiKeyRotated') return creatorOf(metadata.actor);
  return null;
}

/** The account whose credential created a stream; null for a withdrawn one, and for one made by staff. */
export async function makerOf(
  { store }: Pick<MadeByPorts, 'store'>,
  stream: string,
): Promise<Creator | null> {
  for await (const { type, metadata } of store.readStream(stream))
    return type.endsWith('Withdrawn') ? null : creatorOf(metadata.actor);
  return null;
}

async function onlyThose<Id>(ids: readonly Id[], isOne: (id: Id) => Promise<boolean>): Promise<Id[]> {
  const kept = await inBatches(ids, atOnce, async (id) => ((await isOne(id)) ? [id] : []));
  return kept.flat();
}
