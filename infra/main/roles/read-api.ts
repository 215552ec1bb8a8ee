import { join } from 'node:path';
import { archetypeCatalogue } from '../../../contracts/archetypes.ts';
import { createReadApi } from '../../../read-api/index.ts';
import { createStatusHub, type StatusHub } from '../../../read-api/status/hub.ts';
import { createTranscripts } from '../../../read-api/transcript/hub.ts';
import type { Config } from '../../config/index.ts';
import { openCardChecks } from '../composition/cards.ts';
import type { EventStore } from '../../event-store/client/index.ts';
import { openRateLevels, openRateLimits, servedMetrics } from '../composition/http.ts';
import { onceAnswered } from '../composition/once-answered.ts';
import { cursorKeysOf, openPeppers, registerKeys } from '../composition/secrets.ts';
import { openAccessTokens, openEventStore, openPostgres, openVault } from '../composition/stores.ts';
import type { ComposeRole, RoleContext } from './role.ts';

/**
 * Answers from the read models; only transcripts and the public status come from the record, and everything else is there without it.
 * Serves the contract and its page too.
 */
export const readApi: ComposeRole = async (context) => {
  const { config, logger, metrics, clock } = context;
  const postgres = openPostgres(context, 'read-api');
  await registerKeys(context, postgres.pool, 'read-api');
  const rateLimits = openRateLimits(context);
  const vault = openVault(config, postgres.pool);
  const store = openEventStore(context);
  const transcripts = openTranscripts(context, { store, pool: postgres.pool, vault });
  const status = openStatus(context, store);
  const app = createReadApi({
    postgres,
    vault,
    transcripts,
    status,
    archetypes: archetypeCatalogue,
    limit: (caller, bucket) => rateLimits.consume(caller, bucket),
    limitAddress: (address, bucket) => rateLimits.consumeOfAddress(address, bucket),
    settings: {
      ...settingsOf(config),
      rateLevels: openRateLevels(context, rateLimits),
      cardChecks: openCardChecks(context, postgres.pool),
    },
    attempts: rateLimits.attempts,
    tokens: openAccessTokens(config, clock, postgres.pool),
    termsRevision: config.TERMS_REVISION,
    cursorKeys: cursorKeysOf(config),
    peppers: await onceAnswered(context, () => openPeppers(config, postgres.pool)),
    keyCacheMs: config.KEY_CACHE_TTL,
    maxWaitMs: config.READ_YOUR_WRITES_WAIT,
    errorsBase: config.ERRORS_BASE,
    baseUrl: config.BASE_URL,
    models: config.LLM_MODELS,
    onServed: servedMetrics(metrics),
    clock,
    logger,
  });
  const drain = () => [transcripts, status].forEach((streams) => streams.end());
  return { app, drain, checks: { postgres: () => postgres.pool.query('select 1') } };
};

const settingsOf = (config: Config) => ({
  webhooksPerAccount: config.WEBHOOKS_PER_ACCOUNT,
  bundledLlm: { isAvailable: config.LLM_API_KEY !== undefined, defaultCapCents: config.BUNDLED_LLM_CAP },
});

function openTranscripts({ clock, logger, lifetime, metrics }: RoleContext, stores: TranscriptStores) {
  const transcripts = createTranscripts({ ...stores, clock, logger });
  lifetime.defer('transcripts', transcripts.close);
  metrics.gauge('service_transcript_streams', 'Transcript streams that are open', transcripts.count);
  return transcripts;
}

type TranscriptStores = Pick<Parameters<typeof createTranscripts>[0], 'store' | 'pool' | 'vault'>;

/** The last state is kept beside the data of this machine. */
function openStatus({ config, clock, logger, lifetime, metrics }: RoleContext, store: EventStore): StatusHub {
  const status = createStatusHub({
    ...{ store, clock, logger, file: join(config.DATA_DIR, 'status.json') },
    streamsPerAddress: config.STATUS_STREAMS_PER_ADDRESS,
  });
  lifetime.defer('status', status.close);
  metrics.gauge('service_status_streams', 'Streams of the public status that are open', status.count);
  return status;
}
