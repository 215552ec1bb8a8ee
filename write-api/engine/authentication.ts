import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Caller } from '../../commands/engine/context.ts';
import type { Credentials } from '../../commands/credentials/index.ts';
import type { EventStore, Subscription } from '../../infra/event-store/client/types.ts';
import { bearerToken, type RequestFacts } from '../../infra/http/index.ts';
import type { KeyUses } from '../../infra/postgres/index.ts';

/** A request's caller, by its key, whose use is recorded. */
export const authenticateBy =
  (credentials: Credentials, keyUses: Pick<KeyUses, 'note'>) =>
  async (request: RequestFacts, beforeLookUp: () => Promise<void>): Promise<Caller> => {
    const token = bearerToken(request.header('authorization'));
    const identified = await credentials.identify(token, beforeLookUp);
    const { accountId, keyId } = identified;
    keyUses.note(keyId);
    return {
      ...identified,
      context: {
        commandId: randomUUID(),
        correlationId: request.id,
        causationId: request.id,
        actor: { kind: 'api_key', account_id: accountId, actor_key_id: keyId },
        requestId: request.id,
        ip: request.ip,
        userAgent: request.userAgent,
      },
    };
  };

/**
 * Invalidates what other processes change about keys, accounts and nodes. A revocation made here holds for the next request;
 * one made elsewhere as soon as its event arrives, or, if it never does, when the cached state expires.
 */
export function followChanges(store: EventStore, changed: (stream: string) => void, logger: Logger) {
  const news = store.subscribe({ from: 'end', prefixes: ['api_key-', 'account-', 'node-'] });
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
