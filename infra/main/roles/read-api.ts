import { archetypeCatalogue } from '../../../contracts/archetypes.ts';
import { createReadApi } from '../../../read-api/index.ts';
import { need } from '../../config/index.ts';
import { openRateLevels, openRateLimits, servedMetrics } from '../composition/http.ts';
import { openAccessTokens, openPostgres, openVault } from '../composition/stores.ts';
import type { ComposeRole } from './role.ts';

/** Answers from the read models; it knows nothing of the record. Serves the contract and its page too. */
export const readApi: ComposeRole = async (context) => {
  const { config, logger, metrics, clock } = context;
  const postgres = openPostgres(context, 'read-api');
  const rateLimits = openRateLimits(context);
  const app = createReadApi({
    postgres,
    vault: openVault(config, postgres.pool),
    archetypes: archetypeCatalogue,
    limit: (caller, bucket) => rateLimits.consume(caller, bucket),
    limitAddress: (address, bucket) => rateLimits.consumeOfAddress(address, bucket),
    settings: {
      rateLevels: openRateLevels(context, rateLimits),
      webhooksPerAccount: config.WEBHOOKS_PER_ACCOUNT,
      bundledLlm: {
        isAvailable: config.LLM_API_KEY !== undefined,
        defaultCapCents: config.BUNDLED_LLM_CAP,
      },
    },
    attempts: rateLimits.attempts,
    tokens: openAccessTokens(config, clock, postgres.pool),
    termsRevision: config.TERMS_REVISION,
    cursorKey: Buffer.from(need(config, 'CURSOR_KEY')),
    pepper: need(config, 'KEY_PEPPER'),
    keyCacheMs: config.KEY_CACHE_TTL,
    maxWaitMs: config.READ_YOUR_WRITES_WAIT,
    errorsBase: config.ERRORS_BASE,
    baseUrl: config.BASE_URL,
    onServed: servedMetrics(metrics),
    clock,
    logger,
  });
  return { app, checks: { postgres: () => postgres.pool.query('select 1') } };
};
