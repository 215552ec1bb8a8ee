import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Caller, CommandContext } from '../commands/context.ts';
import type { Runner } from '../commands/runner.ts';
import { uuidOf } from '../contracts/ids.ts';
import { refuse, type ProblemSlug } from '../contracts/problems.ts';
import { account, concurrentSessions, type ExistingAccount } from '../domain/account/index.ts';
import { apiKey, standing, type KeyRecord, type Standing } from '../domain/api-key/index.ts';
import type { Clock } from '../infra/clock.ts';
import type { EventStore } from '../infra/event-store/types.ts';
import type { RequestFacts } from '../infra/http/index.ts';
import { matchesApiKey, parseApiKey } from '../infra/keys/index.ts';
import { createFreshStates } from './fresh-states.ts';

export interface CredentialOptions {
  readonly runner: Runner;
  readonly store: EventStore;
  readonly clock: Clock;
  /** Keys the stored hashes of API keys. */
  readonly pepper: string;
  /** How long a key's or account's state is believed without a look at its stream, ms. */
  readonly maxAgeMs: number;
  readonly logger: Logger;
}

export interface Credentials {
  authenticate(request: RequestFacts): Promise<Caller>;
  /** A stream this process has written to: what is believed of it is read again. */
  changed(stream: string): void;
  close(): Promise<void>;
}

const refusals: Record<Exclude<Standing, 'active'>, ProblemSlug> = {
  unknown: 'invalid-key',
  expired: 'expired-key',
  revoked: 'revoked-key',
};

/**
 * Who is calling, decided on the key's and the account's streams. A revocation made by this process holds for the next
 * request; one made elsewhere as soon as its event arrives, and after `maxAgeMs` at the latest.
 */
export function createCredentials({
  runner,
  store,
  clock,
  pepper,
  maxAgeMs,
  logger,
}: CredentialOptions): Credentials {
  const keys = createFreshStates(async (uuid) => (await runner.load(apiKey, uuid)).state, { maxAgeMs });
  const accounts = createFreshStates(async (uuid) => (await runner.load(account, uuid)).state, { maxAgeMs });

  const changed = (stream: string): void => {
    if (stream.startsWith('api_key-')) keys.forget(stream.slice('api_key-'.length));
    if (stream.startsWith('account-')) accounts.forget(stream.slice('account-'.length));
  };
  const news = store.subscribe({ from: 'end', prefixes: ['api_key-', 'account-'] });
  const listening = listen(news, changed, logger);

  return {
    async authenticate(request) {
      const text = bearerToken(request.header('authorization'));
      const parsed = parseApiKey(text);
      if (parsed === 'malformed') throw refuse('invalid-key');
      const key = await keys.get(uuidOf(parsed.apiKeyId));
      if (key.status === 'none' || !matchesApiKey(text, pepper, key.record.hash)) throw refuse('invalid-key');
      const stands = standing(key, clock.now());
      if (stands !== 'active') throw refuse(refusals[stands]);
      const owner = await accounts.get(uuidOf(key.record.accountId));
      if (owner.status === 'none') throw refuse('invalid-key');
      if (owner.status === 'suspended') throw refuse('forbidden', 'The account is suspended.');
      return callerOf(key.record, owner, request);
    },
    changed,
    async close() {
      await news.close();
      await listening;
    },
  };
}

/** Missing or of another scheme is `unauthorized`; what stands behind `Bearer` is judged as a key. */
function bearerToken(header: string | undefined): string {
  const [, token] = /^Bearer +([^\s]+) *$/i.exec(header ?? '') ?? [];
  if (token === undefined) throw refuse('unauthorized', 'Send the API key as Authorization: Bearer <key>.');
  return token;
}

function callerOf({ apiKeyId, scopes }: KeyRecord, owner: ExistingAccount, request: RequestFacts): Caller {
  const context: CommandContext = {
    commandId: randomUUID(),
    correlationId: request.id,
    causationId: request.id,
    actor: { kind: 'api_key', account_id: owner.accountId, actor_key_id: apiKeyId },
    requestId: request.id,
    ip: request.ip,
    userAgent: request.userAgent,
  };
  return {
    accountId: owner.accountId,
    tier: owner.tier,
    concurrentSessions: concurrentSessions(owner),
    keyId: apiKeyId,
    scopes,
    context,
  };
}

/** Without the news, changes made elsewhere are noticed by age alone. */
async function listen(
  news: ReturnType<EventStore['subscribe']>,
  changed: (stream: string) => void,
  logger: Logger,
): Promise<void> {
  try {
    for await (const message of news) if (message.kind === 'event') changed(message.event.stream);
  } catch (error) {
    logger.error({ err: error }, 'News of keys and accounts has stopped; changes are noticed by age alone');
  }
}
