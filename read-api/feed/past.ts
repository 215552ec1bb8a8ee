import { streamOpened } from '../../infra/http/index.ts';
import { createPastStreams } from '../engine/past-streams.ts';
import type { Feeds } from './hub.ts';
import type { FeedReading } from './listener.ts';

/** The feeds of a past. A stream ends after the last event of that time. */
export function pastFeeds(): Feeds {
  const { open, count, end } = createPastStreams();
  return {
    stream: async (request) => open(request.accountId, framesOf(request)),
    ...{ count, end },
    close: async () => end(),
  };
}

async function* framesOf({ after, pageAfter }: FeedReading) {
  yield streamOpened;
  let place = after;
  for (;;) {
    const page = await pageAfter(place);
    if (page.frames !== '') yield page.frames;
    if (!page.hasMore) return;
    place = page.place;
  }
}
