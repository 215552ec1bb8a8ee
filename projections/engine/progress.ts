import type { Position, RecordedEvent } from '../../infra/event-store/client/types.ts';

export interface Progress {
  readonly projection: string;
  readonly events: number;
  readonly eventsPerSecond: number;
  /** Of the stretch of the log that is to be replayed, 0 to 1. */
  readonly fraction: number;
  readonly secondsLeft: number;
}

interface Stretch {
  readonly projection: string;
  readonly after: Position;
  readonly upTo: Position;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

/** Tells how far a replay is. The log does not say how many events lie ahead, so the fraction is one of positions. */
export function meter({ projection, after, upTo, onProgress }: Stretch) {
  const startedAt = performance.now();
  const length = Math.max(1, Number(upTo.commit - after.commit));
  let events = 0;
  const tell = (fraction: number) => {
    const seconds = (performance.now() - startedAt) / 1000;
    onProgress?.({
      projection,
      events,
      eventsPerSecond: seconds > 0 ? events / seconds : 0,
      fraction,
      secondsLeft: fraction > 0 ? (seconds * (1 - fraction)) / fraction : 0,
    });
  };
  return {
    advance(batch: readonly RecordedEvent[]) {
      events += batch.length;
      const last = batch.at(-1);
      if (last) tell(Math.min(1, Number(last.position.commit - after.commit) / length));
    },
    finish: () => tell(1),
  };
}
