import type { Express } from 'express';
import type { Logger } from 'pino';
import type { ArchetypeCatalogue } from '../contracts/resources/archetype.ts';
import type { Bucket } from '../contracts/rate-buckets.ts';
import type { Clock } from '../infra/platform/clock.ts';
import type { KeyList } from '../infra/platform/key-list.ts';
import { createApi, type ApiOptions, type Authenticate, type RateVerdict } from '../infra/http/index.ts';
import { createDeprecatedUses, createKeyUses } from '../infra/ephemeral/index.ts';
import type { EventStore, Position } from '../infra/event-store/client/types.ts';
import { type Postgres } from '../infra/postgres/index.ts';
import type { NoteKeys } from '../infra/notes/note-keys.ts';
import type { HeadSigner } from '../projections/audit/signing.ts';
import type { Vault } from '../infra/vault/index.ts';
import { recordReads } from './engine/records.ts';
import { agentSessionReads } from './agent-session.ts';
import { accountReads } from './account.ts';
import { limitReads, type LimitReadOptions } from './account-limits.ts';
import { apiKeyReads } from './api-key.ts';
import { auditExport } from './audit-export.ts';
import { auditProofReads } from './audit-proofs.ts';
import { publicTreeReads } from './public-tree.ts';
import { auditHeadReads, signedHeads } from './audit-signing.ts';
import { auditLogReads } from './audit-log.ts';
import { createAuditTurns } from './audit-turns.ts';
import type { AccessTokens } from '../infra/credentials/access-tokens.ts';
import type { Peppers } from '../infra/keys/index.ts';
import { profileReads } from './profile.ts';
import { parseId } from '../contracts/ids.ts';
import { billReads } from './bill.ts';
import { cardBillingReads, type CardBillingReadOptions } from './card-billing.ts';
import { type AcceptedByLog, createCredentials, type Reader } from './engine/credentials.ts';
import { createCursors, type Cursors } from './engine/cursors.ts';
import { deliveryReads } from './webhook-delivery.ts';
import { deprecationReads } from './deprecation.ts';
import { emailReads } from './email.ts';
import { eventReads } from './event.ts';
import type { Feeds } from './feed/hub.ts';
import { createDetails, type Details } from './engine/details.ts';
import { createMoments } from './engine/moments.ts';
import { incidentReads } from './incident.ts';
import { createFreshReads } from './engine/fresh-reads.ts';
import { createPages, type Pages } from './engine/paging.ts';
import { createPastRead, type Past } from './engine/past.ts';
import { createRead, type Read } from './engine/reading.ts';
import { storeUpTo } from './engine/store-up-to.ts';
import { settingsReads, type SettingsReadOptions } from './settings.ts';
import { usageReads, type UsageReadOptions } from './usage.ts';
import { oauthReads } from './device-grant.ts';
import { orderReads } from './order.ts';
import { requestReads } from './request.ts';
import { sessionReads } from './session.ts';
import { statusReads } from './status.ts';
import type { StatusHub } from './status/hub.ts';
import { createActFor } from './engine/acting.ts';
import { teamReads } from './team.ts';
import type { Transcripts } from './transcript/hub.ts';
import { webhookReads } from './webhook-endpoint.ts';

export interface ReadApiOptions extends Pick<
  ApiOptions<'read', Reader>,
  | 'errorsBase'
  | 'baseUrl'
  | 'models'
  | 'operations'
  | 'checkReplies'
  | 'onServed'
  | 'attempts'
  | 'limitAddress'
  | 'deprecations'
> {
  /** The service's public base URL, without a final slash, also where none is configured. */
  readonly publicUrl: string;
  readonly postgres: Postgres;
  /** The whole log, for a past too: credentials are those of now. */
  readonly store: Pick<EventStore, 'readStream' | 'head'>;
  readonly acceptedByLog: AcceptedByLog;
  readonly vault: Pick<Vault, 'open' | 'salt'>;
  readonly noteKeys: Pick<NoteKeys, 'list'>;
  /** Signs heads of audit logs. Default: none are signed, as in a past. */
  readonly signHead?: HeadSigner;
  readonly archetypes: ArchetypeCatalogue;
  readonly transcripts: Transcripts;
  readonly feeds: Feeds;
  readonly status: StatusHub;
  readonly limit: (caller: Reader, bucket: Bucket) => Promise<RateVerdict>;
  /** Reads the access tokens of web sessions. */
  readonly tokens: Pick<AccessTokens, 'readAccess'>;
  readonly settings: Omit<AccountReadOptions, 'vault' | 'clock'>;
  /** Sign cursors; the same in every read-api, so that any accepts another's cursor. */
  readonly cursorKeys: KeyList<Buffer>;
  /** The peppers of API keys and mailed links. */
  readonly peppers: Pick<Peppers, 'known' | 'inUse'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** End of the log when this process started: reads before it are marked as stale, as while read models are made after a restore. Default: none. */
  readonly logEnd?: () => Position;
  /** Serves this past. Default: the live read models. */
  readonly past?: Past | undefined;
  /** The present revision of the terms. Default: none. */
  readonly termsRevision?: string;
  /** Cache lifetime of a key without writes of its account, in milliseconds. Default 5000. */
  readonly keyCacheMs?: number;
  /** Maximum wait of a read for the account's own writes, in milliseconds. Default 1000. */
  readonly maxWaitMs?: number;
}

/**
 * The read side as an express app. It answers from Postgres. It reads the log only for transcripts, streams, incidents,
 * histories, positions of the feed that the read models have not reached, and those credentials that are unknown or have writes
 * that the read models do not include yet. For a past it serves the past's rows; credentials and roles are current, and uses are
 * not recorded.
 */
export function createReadApi(options: ReadApiOptions): Express {
  const { vault, archetypes, cursorKeys, peppers, settings, past, keyCacheMs = 5000 } = options;
  const { ofNow, credentials, read } = readsOf(options, keyCacheMs);
  const store = past === undefined ? options.store : storeUpTo(options.store, past.position);
  const clock = past === undefined ? options.clock : { now: () => past.at };
  const cursors = createCursors(cursorKeys);
  const pages = createPages(read, cursors);
  const momentIn = createMoments({ reads: ofNow, store, clock });
  const details = createDetails({ store, vault, cursors, clock, momentIn });
  return createApi({
    ...options,
    side: 'read',
    findTeamCaller: createActFor(ofNow, keyCacheMs),
    authenticate: credentials.authenticate,
    ...(past === undefined && recordingUses(options, credentials.authenticate)),
    handlers: {
      'archetypes.list': { run: async () => ({ body: archetypes }) },
      ...ofStatus({ ...options, store }, details),
      ...sessionReads(read, pages, details),
      ...agentSessionReads(read, pages, details, cursors, options.transcripts),
      ...apiKeyReads(read, pages, details, clock),
      ...ofAudit(options, read, pages, cursors),
      ...webhookReads(read, pages, details, clock),
      ...deliveryReads(read, pages, { store, vault }),
      ...eventReads(read, cursors, { store, vault, feeds: options.feeds }),
      ...oauthReads(options.publicUrl),
      ...emailReads(peppers),
      ...deprecationReads(read, options.deprecations),
      ...teamReads(read, pages, details, vault, clock),
      ...recordReads(read, pages, details, vault),
      ...requestReads(read),
      ...profileReads(read, pages, details),
      ...orderReads(read, pages, details),
      ...ofAccount(read, details, { ...settings, vault, clock }),
    },
  });
}

const ofStatus = ({ status, store, publicUrl }: ReadApiOptions, details: Details) => ({
  ...statusReads(status, publicUrl),
  ...incidentReads(store, details),
});

function ofAudit(options: ReadApiOptions, read: Read, pages: Pages, cursors: Cursors) {
  const { postgres, past, vault, noteKeys, signHead, logger } = options;
  const { pool } = postgres;
  const signed = signedHeads(signHead, logger);
  const turns = createAuditTurns();
  return {
    ...auditLogReads(pages, turns),
    ...auditExport({ pool, schema: past?.schema, turns }, read, cursors, signed),
    ...auditProofReads(pool, read),
    ...auditHeadReads(read, { noteKeys, signed }),
    ...publicTreeReads({ pool, schema: past?.schema }, read, vault),
  };
}

/** Reads of the served rows, and of facts about callers, which are always current. */
function readsOf(options: ReadApiOptions, cacheMs: number) {
  const { postgres, vault, past, logEnd: least, maxWaitMs = 1000, termsRevision = '' } = options;
  const { pool } = postgres;
  const ofNow = createFreshReads({ pool, maxWaitMs, least });
  const credentials = createCredentials({ ...options, reads: ofNow, termsRevision, cacheMs });
  if (past === undefined) return { ofNow, credentials, read: createRead(ofNow, credentials, vault) };
  const ofPast = createFreshReads({ pool, maxWaitMs, past: past.schema });
  return { ofNow, credentials, read: createPastRead(createRead(ofPast, credentials, vault), past) };
}

/** Records uses of keys and of deprecated routes and fields. */
function recordingUses(
  { postgres: { pool }, clock, logger }: ReadApiOptions,
  authenticate: Authenticate<Reader>,
) {
  const keyUses = createKeyUses({ pool, clock, logger });
  return {
    authenticate: async (...request: Parameters<Authenticate<Reader>>) => {
      const reader = await authenticate(...request);
      const keyId = parseId('apiKey', reader.credentialId);
      if (keyId !== undefined) keyUses.record(keyId);
      return reader;
    },
    onDeprecatedUse: createDeprecatedUses({ pool, clock, logger }).record,
  };
}

/** Settings: one row per account. */
type AccountReadOptions = SettingsReadOptions & UsageReadOptions & LimitReadOptions & CardBillingReadOptions;
const ofAccount = (read: Read, details: Details, options: AccountReadOptions) => ({
  ...accountReads(read, options.vault),
  ...settingsReads(read, details, options),
  ...usageReads(read, options),
  ...limitReads(read, options),
  ...cardBillingReads(read, options),
  ...billReads(read),
});
