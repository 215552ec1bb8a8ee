import { SingleBar } from 'cli-progress';
import type { Progress } from '../../../projections/index.ts';

/** Only on a terminal. */
export function progressBar(json: boolean | undefined) {
  if (json || !process.stderr.isTTY) return { update: () => undefined, stop: () => undefined };
  const bar = new SingleBar({
    format: '{projection} [{bar}] {percentage}%  {rate} events/s  {left} s left',
    stream: process.stderr,
    hideCursor: true,
  });
  bar.start(1000, 0, { projection: '', rate: 0, left: '-' });
  return {
    update: ({ projection, fraction, eventsPerSecond, secondsLeft }: Progress) =>
      bar.update(Math.round(fraction * 1000), {
        projection,
        rate: Math.round(eventsPerSecond),
        left: Math.round(secondsLeft),
      }),
    stop: () => bar.stop(),
  };
}
