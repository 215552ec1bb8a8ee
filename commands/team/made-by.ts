import { creatorOf, type Creator } from '../../contracts/resources/creator.ts';
import type { Made } from '../../contracts/events/team-member.ts';
import { uuidOf, type AccountId, type WebhookId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import { accountWebhooks } from '../../domain/account-webhooks.ts';
import { everReserved } from '../../domain/account-keys.ts';
import { account } from '../../domain/account.ts';
import { apiKey, validityAt } from '../../domain/api-key.ts';
import { compare } from '../../infra/event-store/client/position.ts';
import type { EventStore, Position } from '../../infra/event-store/client/types.ts';
import type { ApiKeyCommands } from '../api-key/index.ts';
import { ownedContext, ownedStep, stepContext, type Caller, type CommandContext } from '../engine/context.ts';
import { inBatches } from '../engine/in-batches.ts';
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

/** The owner's keys and endpoints that a member created and that still work, including rotated keys within their grace. */
export async function madeBy(ports: ReadingPorts, owner: AccountId, member: AccountId): Promise<Made> {
  const byMember = async (stream: string) => (await makerOf(ports, stream))?.account_id === member;
  const works = async (uuid: string) =>
    validityAt((await ports.runner.load(apiKey, uuid)).state, ports.clock.now()) === 'active';
  const { state } = await ports.runner.load(account, uuidOf(owner));
  const { reservations } = (await ports.runner.load(accountWebhooks, uuidOf(owner))).state;
  const keys = state.status === 'none' ? [] : everReserved(state);
  const endpoints = reservations.map(({ id }) => id as WebhookId);
  return {
    apiKeys: await onlyThose(
      keys,
      // In this order: a key that is being created has no maker yet, and to load it would wait for that.
      async (id) => (await byMember(`api_key-${uuidOf(id)}`)) && works(uuidOf(id)),
    ),
    webhooks: await onlyThose(endpoints, (id) => byMember(`webhook_endpoint-${uuidOf(id)}`)),
  };
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
 * Ends what a member creates during their removal, and throws what a removed member gets. The remover reads the created resources
 * after storing the removal, and the creator reads the removal after storing the resource: one of the two finds the other.
 */
export async function endUnlessOnTeam(
  ports: MakingPorts,
  { accountId, actorId, context }: Pick<Caller, 'accountId' | 'actorId' | 'context'>,
  made: Partial<Made>,
): Promise<void> {
  if (actorId === accountId || (await ports.teams.role(accountId, actorId)) !== undefined) return;
  await endMade(ports, accountId, { apiKeys: [], webhooks: [], ...made }, stepContext(context, 'removed'));
  throw refuse('not-found');
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
