import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Logger } from 'pino';
import { createRunner, type Runner } from '../../../../commands/engine/runner.ts';
import { Snapshots } from '../../../../commands/engine/snapshots.ts';
import type { AccountSlotsEvent } from '../../../../contracts/events/account-slots.ts';
import { toId, type SessionId } from '../../../../contracts/ids.ts';
import { accountSlots } from '../../../../domain/account-slots.ts';
import { connectEventStore, type EventStore, type EventToAppend } from '../../../event-store/client/index.ts';
import { benchContext, benchMetadata } from '../load.ts';
import { spread } from '../rounds.ts';
import { startStoreProcess } from '../store-process.ts';
import { atMost, type CheckSubject } from '../subject.ts';

const bars = { pass: 2, stretch: 1.3 };
const short = 100;
const long = 10_000;
/**
 * As many commands on the long stream as there are events between two snapshots, so that every distance from one counts
 * once.
 */
const samples = 200;
/** Events of one append. */
const perAppend = 500;
/** Few, as each folds the whole long stream. */
const samplesWithoutSnapshots = 5;

/**
 * R10: how the length of a stream affects a command whose state is not in memory. Reserves and releases slots of an
 * account, with a snapshot every 200 events: on one stream of 10,000 events, and on many of 100, which have no snapshot
 * yet. `without_snapshots_ms` is the same on the long stream without its snapshots.
 */
export const commandOnLongStream: CheckSubject = {
  kind: 'check',
  id: 'R10',
  title: `command p50 at stream length ${long} / at ${short}, snapshots on, nothing in memory`,
  bars,
  unit: 'x',
  async check({ directory, logger }) {
    const server = await startStoreProcess(directory);
    const store = connectEventStore({ url: server.url, logger });
    try {
      const runner = createRunner({ store, logger, cacheEntries: 0 });
      const longStream = await seed(store, long);
      await takeSnapshot(store, logger, longStream);
      const shortStreams: string[] = [];
      for (let n = 0; n < samples; n += 1) shortStreams.push(await seed(store, short));
      const onLong = takingTurns(runner, longStream);
      const times: { readonly short: number; readonly long: number }[] = [];
      for (const uuid of shortStreams)
        times.push({
          short: await takingTurns(runner, uuid)(accountSlots),
          long: await onLong(accountSlots),
        });
      const naive: number[] = [];
      while (naive.length < samplesWithoutSnapshots) naive.push(await onLong(withoutSnapshots));
      const shortMs = spread(times.map((each) => each.short)).median;
      const longMs = spread(times.map((each) => each.long)).median;
      const without_snapshots_ms = spread(naive).median;
      return atMost(bars, longMs / shortMs, { short_ms: shortMs, long_ms: longMs, without_snapshots_ms });
    } finally {
      await store.close();
      await server.stop();
    }
  },
};

const { snapshotEvery: _every, ...withoutSnapshots } = accountSlots;

/** The snapshot that the runner takes every 200 events, at the end of a stream that it did not write. */
async function takeSnapshot(store: EventStore, logger: Logger, uuid: string): Promise<void> {
  const { state, revision } = await createRunner({ store, logger, cacheEntries: 0 }).load(accountSlots, uuid);
  if (revision === null) throw new Error('The stream was not seeded.');
  const stream = `${accountSlots.category.name}-${uuid}`;
  const recent = Array.from({ length: 32 }, () => ({ id: randomUUID(), type: 'SlotReserved' }));
  await new Snapshots(store, logger).save(accountSlots, stream, { state, revision, recent }, null);
}

/** Commands that reserve and release a slot in turns; returns the milliseconds of each. */
function takingTurns(runner: Runner, uuid: string) {
  let held: SessionId | undefined;
  return async (decider: typeof withoutSnapshots): Promise<number> => {
    const sessionId = held ?? toId('session', randomUUID());
    const command =
      held === undefined
        ? ({ type: 'ReserveSlot', sessionId, ...reservation } as const)
        : ({ type: 'ReleaseSlot', sessionId, accountId, at } as const);
    const startedAt = performance.now();
    await runner.run(decider, uuid, command, benchContext());
    const milliseconds = performance.now() - startedAt;
    held = held === undefined ? sessionId : undefined;
    return milliseconds;
  };
}

const at = '2026-01-05T12:00:00.000Z';
const accountId = benchMetadata.actor.account_id;
const reservation = { accountId, profileId: null, leaseExpiresAt: at, limit: 1, at };

/** A stream of that many events: reservations, each followed by its release. */
async function seed(store: EventStore, length: number): Promise<string> {
  const uuid = randomUUID();
  const stream = `${accountSlots.category.name}-${uuid}`;
  for (let from = 0; from < length; from += perAppend) {
    const events = Array.from({ length: Math.min(perAppend, length - from) / 2 }, () =>
      heldAndReleased(toId('session', randomUUID())),
    );
    await store.append(stream, from === 0 ? 'no_stream' : BigInt(from - 1), events.flat());
  }
  return uuid;
}

function heldAndReleased(sessionId: SessionId): EventToAppend[] {
  const events: AccountSlotsEvent[] = [
    { type: 'SlotReserved', data: { accountId, sessionId, profileId: null, leaseExpiresAt: at, at } },
    { type: 'SlotReleased', data: { accountId, sessionId, at } },
  ];
  return events.map((event) => ({ id: randomUUID(), ...event, metadata: benchMetadata }));
}
