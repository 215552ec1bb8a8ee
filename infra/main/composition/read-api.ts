import { archetypeCatalogue } from '../../../contracts/archetypes.ts';
import { createCredentials } from '../../../commands/credentials/index.ts';
import { createRunner } from '../../../commands/engine/runner.ts';
import { createHeadSigner } from '../../../projections/audit/signing.ts';
import type { AcceptedByLog } from '../../../read-api/engine/credentials.ts';
import { createReadApi, type ReadApiOptions } from '../../../read-api/index.ts';
import type { Config } from '../../config/index.ts';
import type { EventStore } from '../../event-store/client/types.ts';
import type { NoteKeys } from '../../notes/note-keys.ts';
import type { RateLimits } from '../../rate-limits/index.ts';
import { publicUrl } from './public-url.ts';
import { cursorKeysOf } from './secrets.ts';

/** Stores and keys of the read API. */
export interface ReadPorts extends Pick<
  ReadApiOptions,
  | 'postgres'
  | 'store'
  | 'acceptedByLog'
  | 'vault'
  | 'tokens'
  | 'peppers'
  | 'transcripts'
  | 'feeds'
  | 'status'
  | 'clock'
  | 'logger'
> {
  readonly config: Config;
  readonly noteKeys: Pick<NoteKeys, 'current' | 'list'>;
  /** `levels`: over all processes. */
  readonly rateLimits: Pick<RateLimits, 'consume' | 'consumeOfAddress' | 'attempts' | 'levels'>;
  /** Records that the card processor should be queried; undefined without one. */
  readonly cardChecks?: ReadApiOptions['settings']['cardChecks'];
}

/** The read API of the present or, with `past`, of a past, whose heads are not signed. */
export const composeReadApi = (ports: ReadPorts, more: Partial<ReadApiOptions> = {}) =>
  createReadApi({
    ...optionsOf(ports),
    ...(more.past === undefined && { signHead: headSignerOf(ports) }),
    ...more,
  });

function optionsOf({ config, rateLimits, cardChecks, ...ports }: ReadPorts): ReadApiOptions {
  return {
    ...ports,
    archetypes: archetypeCatalogue,
    limit: (caller, bucket) => rateLimits.consume(caller, bucket),
    limitAddress: (address, bucket) => rateLimits.consumeOfAddress(address, bucket),
    attempts: rateLimits.attempts,
    settings: {
      webhooksPerAccount: config.WEBHOOKS_PER_ACCOUNT,
      bundledLlm: {
        isAvailable: config.LLM_API_KEY !== undefined,
        defaultCapCents: config.BUNDLED_LLM_CAP,
      },
      rateLevels: (caller) => rateLimits.levels(caller),
      cardChecks,
    },
    baseUrl: config.BASE_URL,
    publicUrl: publicUrl(config),
    termsRevision: config.TERMS_REVISION,
    cursorKeys: cursorKeysOf(config),
    keyCacheMs: config.KEY_CACHE_TTL,
    maxWaitMs: config.READ_YOUR_WRITES_WAIT,
    errorsBase: config.ERRORS_BASE,
    models: config.LLM_MODELS,
  };
}

const headSignerOf = ({ config, postgres, vault, noteKeys }: ReadPorts) =>
  createHeadSigner({ pool: postgres.pool, vault, noteKeys, baseUrl: publicUrl(config) });

type LogPorts = Pick<ReadPorts, 'config' | 'tokens' | 'peppers' | 'clock' | 'logger'>;

/** Decides by the streams of this store. Caches nothing, as other processes write them. */
export const acceptedByLogOf =
  ({ config, ...ports }: LogPorts, store: EventStore): AcceptedByLog =>
  (text, route) => {
    const runner = createRunner({ store, logger: ports.logger, cacheEntries: 0 });
    const limits = { maxAgeMs: 0, freshMs: config.STEP_UP_FRESH, termsRevision: config.TERMS_REVISION };
    return createCredentials({ ...ports, ...limits, runner }).identify(text, route, () => Promise.resolve());
  };
