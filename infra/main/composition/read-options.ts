import { archetypeCatalogue } from '../../../contracts/archetypes.ts';
import type { ReadApiOptions } from '../../../read-api/index.ts';
import type { Config } from '../../config/index.ts';
import type { openRateLimits } from './http.ts';
import { cursorKeysOf } from './secrets.ts';

type RateLimits = ReturnType<typeof openRateLimits>;

/** What the read API of the present and that of a past have alike. */
export const readOptionsOf = (config: Config, rateLimits: RateLimits) =>
  ({
    archetypes: archetypeCatalogue,
    limit: (caller, bucket) => rateLimits.consume(caller, bucket),
    limitAddress: (address, bucket) => rateLimits.consumeOfAddress(address, bucket),
    attempts: rateLimits.attempts,
    termsRevision: config.TERMS_REVISION,
    cursorKeys: cursorKeysOf(config),
    keyCacheMs: config.KEY_CACHE_TTL,
    maxWaitMs: config.READ_YOUR_WRITES_WAIT,
    errorsBase: config.ERRORS_BASE,
    models: config.LLM_MODELS,
  }) satisfies Partial<ReadApiOptions>;

export const readSettingsOf = (config: Config) => ({
  webhooksPerAccount: config.WEBHOOKS_PER_ACCOUNT,
  bundledLlm: { isAvailable: config.LLM_API_KEY !== undefined, defaultCapCents: config.BUNDLED_LLM_CAP },
});
