import { pino } from 'pino';
import { archetypeCatalogue } from '../../../contracts/archetypes.ts';
import { createReadApi, type ReadApiOptions } from '../../../read-api/index.ts';
import { emptyBoard } from '../../../read-api/status/board.ts';
import type { StatusHub } from '../../../read-api/status/hub.ts';
import type { Transcripts } from '../../../read-api/transcript/hub.ts';
import { systemClock } from '../../platform/clock.ts';
import { connectPostgres } from '../../postgres/index.ts';
import { createRateLimits } from '../../rate-limits/index.ts';
import { benchCursorKey, benchPepper } from './read-side.ts';
import { onlyPepper } from '../../keys/index.ts';

const logger = pino({ level: 'warn' }, process.stderr);

const noTranscripts: Transcripts = {
  entries: () => Promise.resolve([]),
  stream: () => Promise.resolve(null),
  count: () => 0,
  end: () => undefined,
  close: () => Promise.resolve(),
};

const noStatus: StatusHub = {
  current: () => ({ body: '{}', ageSeconds: 0 }),
  board: () => emptyBoard,
  uptime: () => ({ windows: [] }),
  stream: () => null,
  count: () => 0,
  end: () => undefined,
  close: () => Promise.resolve(),
};

const noLog: ReadApiOptions['store'] = {
  head: () => Promise.resolve(undefined),
  async *readStream() {},
};

interface Optional {
  /** By default one that is open for as long as the process runs. */
  readonly postgres?: ReadApiOptions['postgres'];
  readonly transcripts?: Transcripts;
  readonly status?: StatusHub;
  readonly store?: ReadApiOptions['store'];
}

/** The read API as its role serves it, without limits of rate; by default nobody has said anything. */
export function readApi(
  url: string,
  {
    transcripts = noTranscripts,
    status = noStatus,
    store = noLog,
    postgres = connectPostgres({ url, logger }),
  }: Optional = {},
) {
  const rateLimits = createRateLimits({ logger, enforced: false });
  return createReadApi({
    postgres,
    store,
    vault: { open: () => Promise.resolve({ erased: true }), salt: () => Promise.resolve(Buffer.alloc(32)) },
    noteKeys: { list: () => Promise.resolve([]) },
    archetypes: archetypeCatalogue,
    transcripts,
    status,
    limit: (caller, bucket) => rateLimits.consume(caller, bucket),
    limitAddress: (address, bucket) => rateLimits.consumeOfAddress(address, bucket),
    tokens: { readAccess: () => Promise.resolve('malformed') },
    settings: {
      rateLevels: (caller) => rateLimits.levels(caller),
      webhooksPerAccount: 20,
      bundledLlm: { isAvailable: false, defaultCapCents: 2000 },
    },
    cursorKeys: [Buffer.from(benchCursorKey)],
    peppers: onlyPepper(benchPepper),
    clock: systemClock,
    errorsBase: 'https://errors.example',
    logger,
  });
}
