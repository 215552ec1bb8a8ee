import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Caller, CommandContext } from '../../commands/engine/context.ts';
import type { Credentials } from '../../commands/credentials/index.ts';
import type { Actor } from '../../contracts/events/metadata.ts';
import type { EventStore, Subscription } from '../../infra/event-store/client/types.ts';
import { credentialIn, type RequestFacts } from '../../infra/http/index.ts';
import type { KeyUses } from '../../infra/postgres/index.ts';

/** What a request causes, by whoever sent it. */
export const contextOf = ({ id, ip, userAgent }: RequestFacts, actor: Actor): CommandContext => ({
  commandId: randomUUID(),
  correlationId: id,
  causationId: id,
  actor,
  requestId: id,
  ip,
  userAgent,
});

/** What a request without a credential causes; whose account it is about shows later. */
export const anyoneContext = (request: RequestFacts): CommandContext =>
  contextOf(request, { kind: 'user', account_id: null });

/** A request's caller, by its credential. The use of a key is recorded. */
export const authenticateBy =
  (credentials: Credentials, keyUses: Pick<KeyUses, 'note'>) =>
  async (request: RequestFacts, beforeLookUp: () => Promise<void>): Promise<Caller> => {
    const identified = await credentials.identify(credentialIn(request), request, beforeLookUp);
    const { accountId, keyId } = identified;
    if (keyId !== null) keyUses.note(keyId);
    const by = keyId === null ? { kind: 'user' as const } : { kind: 'api_key' as const, actor_key_id: keyId };
    return { ...identified, context: contextOf(request, { ...by, account_id: accountId }) };
  };

/**
 * Invalidates what other processes change about credentials, accounts and nodes. A revocation made here holds for the next request;
 * one made elsewhere as soon as its event arrives, or, if it never does, when the cached state expires.
 */
export function followChanges(store: EventStore, changed: (stream: string) => void, logger: Logger) {
  const news = store.subscribe({
    from: 'end',
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
      'News of keys, accounts and nodes has stopped; changes are noticed by age alone.',
    );
  }
}
