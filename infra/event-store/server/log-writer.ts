import { CommitGroup, type WriteResult } from './commit-group.ts';
import type { EventLog } from './event-log.ts';
import { RecentIds } from './recent-ids.ts';
import { StoredRecord } from './record.ts';
import type { LogSignals } from './log-signals.ts';

/** Number of cached event ids, to recognise an append that is repeated without a revision. 4 MB. */
const RECENT_IDS = 100_000;
/** Number of ids read from the log at start, so that a restart does not lose the most recent ones. */
const RECENT_IDS_READ_BACK = 10_000;
/** Maximum writes per commit: limits the duration of one commit. */
const MAX_GROUP = 4_096;

type Write = (group: CommitGroup) => WriteResult;

interface Waiting {
  readonly write: Write;
  readonly resolve: (result: WriteResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The only writer. Writes that arrive while a group is being flushed form the next group, so concurrent writes share a flush, and
 * a single one waits for no timer.
 */
export class LogWriter {
  readonly #log: EventLog;
  readonly #signals: LogSignals;
  readonly #uniqueIds: boolean;
  readonly #recent = new RecentIds(RECENT_IDS);
  readonly #waiting: Waiting[] = [];
  #nextPosition: number;
  #draining: Promise<void> | undefined;

  constructor(log: EventLog, signals: LogSignals, uniqueIds: boolean) {
    this.#uniqueIds = uniqueIds;
    this.#log = log;
    this.#signals = signals;
    this.#nextPosition = log.nextPosition();
    this.#rememberNewest();
  }

  /** Resolves once the write is on disk. Rejects if its group could not be stored; then no write of the group was. */
  write(write: Write): Promise<WriteResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Resolves when nothing is being written. */
  async settled(): Promise<void> {
    await this.#draining;
  }

  async #drain(): Promise<void> {
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) await this.#commit(this.#waiting.splice(0, MAX_GROUP));
    this.#draining = undefined;
  }

  async #commit(waiting: readonly Waiting[]): Promise<void> {
    const group = new CommitGroup(this.#log, this.#recent, this.#nextPosition, Date.now(), this.#uniqueIds);
    try {
      const results = waiting.map(({ write }) => write(group));
      if (group.records.length > 0) await this.#log.commit(group.records, group.descriptions);
      this.#nextPosition = group.nextPosition;
      this.#signals.announce(group.touched);
      for (const [index, result] of results.entries()) waiting[index]?.resolve(result);
    } catch (error) {
      // Read from the disk: a failed commit may have reached it.
      this.#nextPosition = this.#log.nextPosition();
      this.#recent.clear();
      this.#rememberNewest();
      for (const { reject } of waiting) reject(error);
    }
  }

  #rememberNewest(): void {
    const streamIds = new Map<string, number | undefined>();
    for (const bytes of this.#log.newest(RECENT_IDS_READ_BACK).reverse()) {
      const { id, stream, revision } = new StoredRecord(bytes);
      if (!streamIds.has(stream)) streamIds.set(stream, this.#log.head(stream).id);
      const streamId = streamIds.get(stream);
      if (streamId !== undefined) this.#recent.add(id, streamId, revision);
    }
  }
}
