import type { Scope } from '../../contracts/events/api-key.ts';
import type { AccountId, ApiKeyId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { Tier } from '../../contracts/tiers.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import { bearerToken, type RequestFacts } from '../../infra/http/index.ts';
import { matchesApiKey, parseApiKey } from '../../infra/keys/index.ts';
import { isAfter } from '../../infra/event-store/client/position.ts';
import type { FreshReads } from './fresh-reads.ts';
import { accountSuspended, behind } from './reading.ts';
import { credentialOfKey, type CredentialRow } from '../../projections/queries/api-key.ts';

/** Who a reader is; what the edge and the handlers need. */
export interface Reader {
  readonly accountId: AccountId;
  readonly keyId: ApiKeyId;
  readonly tier: Tier;
  readonly scopes: readonly Scope[];
}

export interface Credentials {
  /** Calls `beforeLookUp` first when nothing is known of the key here; what it throws stands. */
  authenticate(request: RequestFacts, beforeLookUp: () => Promise<void>): Promise<Reader>;
  /** Judges the reader's key again if the account has written something since the key was last looked up. */
  confirm(reader: Reader, noted: Position): Promise<void>;
}

interface Options {
  readonly reads: FreshReads;
  readonly pepper: string;
  readonly clock: Clock;
  /** How long a key is believed when nothing is heard of its account, milliseconds. */
  readonly cacheMs?: number;
  readonly cacheEntries?: number;
}

interface Known {
  readonly row: CredentialRow;
  /** The key and its account are known as they were here. */
  readonly reached: Position;
  readonly loadedAt: number;
}

/**
 * Keys as the read models have them. A key that is not there is refused only after the read models have passed everything
 * that was acknowledged to anyone, so one made a moment ago works at once. A known key is believed until its account
 * writes something (every query tells), so one revoked a moment ago does not; and for `cacheMs` at most.
 */
export function createCredentials(options: Options): Credentials {
  const { pepper, clock } = options;
  const { known, load, lookUp } = knowKeys(options);
  return {
    async authenticate(request, beforeLookUp) {
      const text = bearerToken(request.header('authorization'));
      const parsed = parseApiKey(text);
      if (parsed === 'malformed') throw refuse('invalid-key', 'This is not an API key of this service.');
      const { row } = await lookUp(parsed.apiKeyId, beforeLookUp);
      if (!matchesApiKey(text, pepper, row.hash)) throw refuse('invalid-key');
      assertUsable(row, clock.now());
      return { accountId: row.account_id, keyId: row.id, tier: row.tier, scopes: row.scopes };
    },
    async confirm({ keyId }, noted) {
      const entry = known.get(keyId);
      if (entry && !isAfter(noted, entry.reached)) return;
      const { row } = await load(keyId);
      assertUsable(row, clock.now());
    },
  };
}

function knowKeys({ reads, cacheMs = 5000, cacheEntries = 10_000 }: Options) {
  const known = new Map<ApiKeyId, Known>();

  const load = async (keyId: ApiKeyId): Promise<Known> => {
    const loadedAt = performance.now();
    const { rows, reached, stale } = await reads.read(credentialOfKey, { keyId });
    known.delete(keyId);
    if (rows[0] === undefined) throw stale ? behind() : refuse('invalid-key');
    const entry = { row: rows[0], reached, loadedAt };
    known.set(keyId, entry);
    const [oldest] = known.keys();
    if (known.size > cacheEntries && oldest !== undefined) known.delete(oldest);
    return entry;
  };
  const lookUp = async (keyId: ApiKeyId, beforeLookUp: () => Promise<void>): Promise<Known> => {
    const entry = known.get(keyId);
    if (entry === undefined) await beforeLookUp();
    const believed = entry && performance.now() - entry.loadedAt < cacheMs && isLive(entry.row);
    return believed ? entry : load(keyId);
  };
  return { known, load, lookUp };
}

/** Only good news is believed without asking: a suspension may have been lifted. */
const isLive = ({ revoked_at, suspended_at }: CredentialRow): boolean =>
  revoked_at === null && suspended_at === null;

function assertUsable({ revoked_at, expires_at, suspended_at }: CredentialRow, now: Date): void {
  if (revoked_at !== null) throw refuse('revoked-key');
  if (expires_at !== null && expires_at <= now) throw refuse('expired-key');
  if (suspended_at !== null) throw accountSuspended();
}
