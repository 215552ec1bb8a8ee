import type { RequestListener } from 'node:http';
import { refuse } from '../../../contracts/problems.ts';
import type { ReadApiOptions } from '../../../read-api/index.ts';
import { pastFeeds } from '../../../read-api/feed/past.ts';
import { emptyBoard, foldStatus } from '../../../read-api/status/board.ts';
import { pastStatus } from '../../../read-api/status/past.ts';
import { pastTranscripts } from '../../../read-api/transcript/past.ts';
import { positionText } from '../../event-store/client/position.ts';
import type { EventStore, RecordedEvent } from '../../event-store/client/index.ts';
import { refusing } from '../../http/index.ts';
import { systemClock as clock } from '../../platform/clock.ts';
import { listenHere } from './listen-here.ts';
import { openRateLimits } from './http.ts';
import { acceptedByLogOf, composeReadApi } from './read-api.ts';
import { openPeppers } from './secrets.ts';
import { openAccessTokens, openNoteKeys, openPostgres, openVault, type Opening } from './stores.ts';

/** The board of the public status at the last given event. */
export function statusUpTo() {
  let board = emptyBoard;
  return {
    board: () => board,
    add: ({ type, data }: RecordedEvent) => void (board = foldStatus(board, { type, data })),
  };
}

type Past = NonNullable<ReadApiOptions['past']>;

/**
 * The server of a past. It opens its port at once, so that a port in use is reported before anything is built, and answers 503
 * with `Retry-After` until it has something to serve.
 */
export async function listenForPast(context: Opening, port: number) {
  const { config, lifetime } = context;
  const { ERRORS_BASE: errorsBase } = config;
  let listener = refusing(errorsBase, notBuilt);
  const server = await listenHere(port, (request, response) => listener(request, response), errorsBase);
  lifetime.defer('http', () => server.close());
  const url = `http://127.0.0.1:${server.port}`;
  return {
    url,
    serve: async (store: EventStore, past: Past, board = emptyBoard): Promise<void> => {
      const app = await readApiOf(context, { store, past, board, url });
      const readOnly = refusing(errorsBase, unchangeable);
      listener = (request, response) => {
        response.setHeader('X-Service-As-Of', positionText(past.position));
        const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(request.method ?? '');
        if (!isRead) response.setHeader('Allow', 'GET, HEAD, OPTIONS');
        (isRead ? app : readOnly)(request, response);
      };
    },
  };
}

const notBuilt = () =>
  refuse('feature-unavailable', 'The past is still being built.', { retry_after_seconds: 5 });
const unchangeable = () => refuse('method-not-allowed', 'The past is read-only.');

interface Served {
  readonly store: EventStore;
  readonly past: Past;
  readonly board: typeof emptyBoard;
  readonly url: string;
}

/** The read-api of a past: read-only, with rate limits of its own. */
async function readApiOf(context: Opening, { store, past, board, url }: Served): Promise<RequestListener> {
  const { config, logger } = context;
  const postgres = openPostgres(context, 'as-of', { readOnly: true });
  const vault = openVault(config, postgres.pool);
  const secrets = {
    tokens: openAccessTokens(config, clock, postgres.pool),
    peppers: await openPeppers(config, postgres.pool),
  };
  const ports = {
    ...{ config, postgres, store, vault, clock, logger, ...secrets },
    rateLimits: openRateLimits(context, { apart: true }),
    transcripts: pastTranscripts({ store, vault }, past.position),
    feeds: pastFeeds(),
    status: pastStatus({ board, ...past }),
    noteKeys: openNoteKeys(config, postgres.pool),
    acceptedByLog: acceptedByLogOf({ config, clock, logger, ...secrets }, store),
  };
  return composeReadApi(ports, { past, baseUrl: url, publicUrl: url });
}
