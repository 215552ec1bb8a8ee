import { pino } from 'pino';
import type { ReadApiOptions } from '../../../read-api/index.ts';
import type { Feeds } from '../../../read-api/feed/hub.ts';
import { emptyBoard } from '../../../read-api/status/board.ts';
import type { StatusHub } from '../../../read-api/status/hub.ts';
import type { Transcripts } from '../../../read-api/transcript/hub.ts';
import { testConfig } from '../../../write-api/testing/config.ts';
import { composeReadApi } from '../../main/composition/read-api.ts';
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

const noFeeds: Feeds = {
  stream: () => Promise.resolve(null),
  count: () => 0,
  end: () => undefined,
  close: () => Promise.resolve(),
};

const noStatus: StatusHub = {
  current: () => ({ body: '{}', ageSeconds: 0 }),
  board: () => emptyBoard,
  confirmedAt: () => new Date(0),
  uptime: () => ({ windows: [], days: [] }),
  stream: () => null,
  whenComplete: () => Promise.resolve(),
  count: () => 0,
  end: () => undefined,
  close: () => Promise.resolve(),
};

const noLog: ReadApiOptions['store'] = {
  head: () => Promise.resolve(undefined),
  async *readStream() {},
};

interface Optional {
  /** By default it stays open as long as the process runs. */
  readonly postgres?: ReadApiOptions['postgres'];
  readonly transcripts?: Transcripts;
  readonly status?: StatusHub;
  readonly store?: ReadApiOptions['store'];
}

/** For read models that are never behind the writes: the log is not asked about a credential. */
export const neverBehind = () => Promise.reject(new Error('The read models are never behind here.'));

/** The read API as its role serves it, without rate limits. By default no write is waited for. */
export function readApi(
  url: string,
  {
    transcripts = noTranscripts,
    status = noStatus,
    store = noLog,
    postgres = connectPostgres({ url, logger }),
  }: Optional = {},
) {
  return composeReadApi({
    ...{ postgres, store, transcripts, feeds: noFeeds, status, clock: systemClock, logger },
    acceptedByLog: neverBehind,
    config: testConfig({ CURSOR_KEY: [benchCursorKey], KEY_CACHE_TTL: 5000 }),
    vault: { open: () => Promise.resolve({ erased: true }), salt: () => Promise.resolve(Buffer.alloc(32)) },
    noteKeys: { list: () => Promise.resolve([]), current: noNotes },
    tokens: { readAccess: () => Promise.resolve('malformed') },
    peppers: onlyPepper(benchPepper),
    rateLimits: createRateLimits({ logger, enforced: false }),
  });
}

const noNotes = () => Promise.reject(new Error('No bench asks for signed heads.'));
