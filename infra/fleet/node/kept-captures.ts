import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { operationSchemas } from '../../../contracts/fleet/operations.ts';
import type { OperationDispatch, OperationOutcome } from '../../../contracts/fleet/protocol.ts';
import type { CaptureId } from '../../../contracts/ids.ts';
import type { CaptureResult } from '../../../contracts/resources/session.ts';
import { shape } from '../shape.ts';
import { pageFailure } from './driver.ts';

const isAsked = shape(operationSchemas.capture.input);
const isCaptured = shape(operationSchemas.capture.result);

/** Limits of one session; the oldest captures are dropped first. */
const most = { captures: 20, bytes: 64 * 1024 * 1024 } as const;

type Facts = Omit<CaptureResult, 'data'>;

/** Captures of one session whose content stays on the node, in a directory that no browser can see, until the session ends. */
export class KeptCaptures {
  readonly #directory: string;
  /** Oldest first. */
  readonly #kept = new Map<CaptureId, Facts>();
  #ended = false;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Returns the capture without its content. A capture with the same id is replaced. */
  async keep(id: CaptureId, { data, ...facts }: CaptureResult): Promise<CaptureResult> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    await writeFile(this.#pathOf(id), Buffer.from(data, facts.encoding), { mode: 0o600 });
    if (this.#ended) await this.remove();
    else {
      this.#kept.delete(id);
      this.#kept.set(id, facts);
      await this.#dropOldest();
    }
    return { ...facts, data: '' };
  }

  /** Null if there is none, or if it was dropped. */
  async find(id: CaptureId): Promise<CaptureResult | null> {
    const facts = this.#kept.get(id);
    const content = facts && (await readFile(this.#pathOf(id)).catch(() => undefined));
    return facts && content ? { ...facts, data: content.toString(facts.encoding) } : null;
  }

  async remove(): Promise<void> {
    this.#ended = true;
    this.#kept.clear();
    await rm(this.#directory, { recursive: true, force: true });
  }

  #pathOf(id: CaptureId): string {
    return join(this.#directory, id);
  }

  async #dropOldest(): Promise<void> {
    let bytes = [...this.#kept.values()].reduce((sum, { byte_size }) => sum + byte_size, 0);
    for (const [id, { byte_size }] of this.#kept) {
      if (this.#kept.size <= most.captures && bytes <= most.bytes) return;
      bytes -= byte_size;
      this.#kept.delete(id);
      await rm(this.#pathOf(id), { force: true });
    }
  }
}

/** The outcome of an operation, without the content of a capture that was stored here. */
export async function withKept(
  captures: Pick<KeptCaptures, 'keep'>,
  { operation, input }: OperationDispatch,
  outcome: OperationOutcome,
  logger: Logger,
): Promise<OperationOutcome> {
  if (operation !== 'capture' || outcome.outcome === 'failed') return outcome;
  const { result } = outcome;
  if (!isAsked.is(input) || input.keep_as === undefined || !isCaptured.is(result)) return outcome;
  try {
    return { outcome: 'succeeded', result: await captures.keep(input.keep_as, result) };
  } catch (error) {
    logger.error({ err: error }, 'A capture could not be stored.');
    const { failure } = pageFailure('capture_failed', 'The capture could not be kept.');
    return { outcome: 'failed', failure };
  }
}
