import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { actedBy, type Caller, type CommandContext } from '../../commands/engine/context.ts';
import type { Credentials } from '../../commands/credentials/index.ts';
import { actingContext, type TeamCommands } from '../../commands/team/index.ts';
import type { Actor } from '../../contracts/events/metadata.ts';
import type { AccountId } from '../../contracts/ids.ts';
import type { EventStore, Subscription } from '../../infra/event-store/client/types.ts';
import { credentialIn, type RequestFacts, type TeamCaller } from '../../infra/http/index.ts';
import type { KeyUses } from '../../infra/ephemeral/index.ts';

/** The command context of an authenticated request. */
export const contextOf = ({ id, operation, ip, userAgent }: RequestFacts, actor: Actor): CommandContext => ({
  commandId: randomUUID(),
  correlationId: id,
  causationId: id,
  by: `request:${operation}`,
  actor,
  requestId: id,
  ip,
  userAgent,
});

/** The command context of a request without a credential; its account is determined later. */
export const anyoneContext = (request: RequestFacts): CommandContext =>
  contextOf(request, { kind: 'user', account_id: null });

/** A request's caller, by its credential. The use of a key is recorded. */
export const authenticateBy =
  (credentials: Credentials, keyUses: Pick<KeyUses, 'record'>) =>
  async (request: RequestFacts, beforeLookUp: () => Promise<void>): Promise<Caller> => {
    const identified = await credentials.identify(credentialIn(request), request, beforeLookUp);
    const { accountId, keyId } = identified;
    if (keyId !== null) keyUses.record(keyId);
    return { ...identified, context: contextOf(request, { ...actedBy(keyId), account_id: accountId }) };
  };

/** The caller's membership on an owner's team, read from the log; the owner's account comes from the cache. */
export const actForBy =
  (teams: Pick<TeamCommands, 'role'>, { account }: Pick<Credentials, 'account'>) =>
  async (caller: Caller, owner: AccountId): Promise<TeamCaller<Caller> | undefined> => {
    const role = await teams.role(owner, caller.actorId);
    const facts = role === undefined ? undefined : await account(owner);
    if (role === undefined || facts === undefined) return undefined;
    const { isSuspended: isOwnerSuspended, ...limits } = facts;
    const context = actingContext(caller.context, owner, caller.actorId);
    return { caller: { ...caller, ...limits, accountId: owner, context }, role, isOwnerSuspended };
  };

/**
 * Invalidates cached credentials, accounts and nodes after changes by other processes. A revocation by this process takes effect
 * at the next request; one by another process when its event arrives or, should it not, when the cached state expires.
 */
export function followChanges(store: EventStore, changed: (stream: string) => void, logger: Logger) {
  const news = store.subscribe({
    from: 'end',
    asStored: true,
    prefixes: ['api_key-', 'web_session-', 'account-', 'login-', 'node-'],
  });
  const following = follow(news, changed, logger);
  return {
    async close(): Promise<void> {
      await news.close();
      await following;
    },
  };
}

async function follow(news: Subscription, changed: (stream: string) => void, logger: Logger): Promise<void> {
  try {
    for await (const message of news) if (message.kind === 'event') changed(message.event.stream);
  } catch (error) {
    logger.error(
      { err: error },
      'The subscription to keys, accounts and nodes has stopped; caches now expire only by age.',
    );
  }
}
