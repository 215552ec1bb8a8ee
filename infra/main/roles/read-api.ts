import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createFeeds } from '../../../read-api/feed/hub.ts';
import { createStatusHub, type StatusHub } from '../../../read-api/status/hub.ts';
import { createTranscripts } from '../../../read-api/transcript/hub.ts';
import { openCardChecks } from '../composition/cards.ts';
import { openRateLevels, openRateLimits, openServed } from '../composition/http.ts';
import { logEndAtStart } from '../composition/log-end.ts';
import { onceAnswered } from '../composition/once-answered.ts';
import type { Keys, Stores } from '../composition/ports.ts';
import { acceptedByLogOf, composeReadApi } from '../composition/read-api.ts';
import { openNoteKeys } from '../composition/stores.ts';
import type { ComposeRole } from './role.ts';

/** Maximum wait of a start for the public status, in milliseconds. */
const statusWaitMs = 5_000;

/**
 * Serves the read models; transcripts, incidents, the public status and everything past come from the log, which also wakes streams
 * of feeds. Without it the rest still works. Also serves the contract and its page.
 */
export const readApi: ComposeRole<Keys> = async (keys) => {
  const { config, pool, record } = keys;
  const rateLimits = openRateLimits(keys);
  const transcripts = openTranscripts(keys);
  const feeds = openFeeds(keys);
  const status = openStatus(keys);
  const noteKeys = openNoteKeys(config, pool);
  await onceAnswered(keys, () => noteKeys.current());
  const ports = {
    ...{ ...keys, store: record, transcripts, feeds, status, noteKeys },
    acceptedByLog: acceptedByLogOf(keys, record),
    rateLimits: { ...rateLimits, levels: openRateLevels(keys, rateLimits) },
    cardChecks: openCardChecks(keys),
  };
  const [logEnd] = await Promise.all([
    logEndAtStart(keys, record),
    Promise.race([status.whenComplete(), delay(statusWaitMs, undefined, { ref: false })]),
  ]);
  const app = composeReadApi(ports, { onServed: openServed(keys), logEnd });
  const drain = () => [transcripts, feeds, status].forEach((streams) => streams.end());
  return { app, drain, checks: { postgres: () => pool.query('select 1') } };
};

function openTranscripts({ clock, logger, lifetime, metrics, record, pool, vault }: Keys) {
  const transcripts = createTranscripts({ store: record, pool, vault, clock, logger });
  lifetime.defer('transcripts', transcripts.close);
  metrics.gauge('service_transcript_streams', 'Transcript streams that are open', transcripts.count);
  return transcripts;
}

function openFeeds({ clock, logger, lifetime, metrics, record, pool }: Keys) {
  const feeds = createFeeds({ store: record, pool, clock, logger });
  lifetime.defer('feeds', feeds.close);
  metrics.gauge('service_feed_streams', 'Streams of the feeds of accounts that are open', feeds.count);
  return feeds;
}

/** The last state is stored on this machine. */
function openStatus({ config, clock, logger, lifetime, metrics, record }: Stores): StatusHub {
  const status = createStatusHub({
    ...{ store: record, clock, logger, file: join(config.DATA_DIR, 'status.json') },
    streamsPerAddress: config.STATUS_STREAMS_PER_ADDRESS,
  });
  lifetime.defer('status', status.close);
  metrics.gauge('service_status_streams', 'Streams of the public status that are open', status.count);
  return status;
}
