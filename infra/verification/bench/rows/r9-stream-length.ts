import { connectEventStore } from '../../../event-store/client/index.ts';
import { percentile, timed } from '../latency.ts';
import { seededLife, seededStream, seedLog } from '../seed-log.ts';
import { startStoreProcess } from '../store-process.ts';
import { atMost, type CheckSubject } from '../subject.ts';

const bars = { pass: 1.3, stretch: 1.1 };
const short = 10;
const long = 10_000;
const samples = 400;

/**
 * R9: whether an append is slower on a long stream. One at a time, alternating between the long stream and a short one,
 * so that drift of the disk affects both; each short stream is used once and stays short.
 */
export const appendOnLongStream: CheckSubject = {
  kind: 'check',
  id: 'R9',
  title: `append p50 at stream length ${long} / at ${short}`,
  bars,
  unit: 'x',
  async check({ directory, logger, seed }) {
    const server = await startStoreProcess(directory);
    const store = connectEventStore({ url: server.url, logger });
    try {
      await seedLog(store, { seed, events: long, perStream: long, perAppend: 500 });
      await seedLog(store, {
        seed,
        events: short * samples,
        perStream: short,
        perAppend: short,
        firstStream: 1,
      });
      const onLong: number[] = [];
      const onShort: number[] = [];
      const added = seededLife(0, long + samples, { seed }).slice(long);
      for (const [index, event] of added.entries()) {
        const at = BigInt(long + index - 1);
        onLong.push(await timed(() => store.append(seededStream(seed, 0), at, [event])));
        const [next] = seededLife(index + 1, short + 1, { seed }).slice(short);
        const events = next === undefined ? [] : [next];
        const stream = seededStream(seed, index + 1);
        onShort.push(await timed(() => store.append(stream, BigInt(short - 1), events)));
      }
      const [long_ms, short_ms] = [percentile(onLong, 0.5), percentile(onShort, 0.5)];
      return atMost(bars, long_ms / short_ms, { short_ms, long_ms });
    } finally {
      await store.close();
      await server.stop();
    }
  },
};
