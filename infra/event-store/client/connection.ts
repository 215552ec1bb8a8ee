import { performance } from 'node:perf_hooks';
import { EventStoreDBClient } from '@eventstore/db-client';
import type { Logger } from 'pino';
import { pipelineAppends, type AppendCall, type SendAppend } from './append-call.ts';
import { addressOf } from './address.ts';
import { disconnect, openAppends, type Caller } from './wire.ts';

/** A client with its calls. A connection has one at a time, and replaces an unresponsive one. */
export interface Link extends Caller {
  /** Sends over the append call, which is opened by the first append, and again after it broke. */
  readonly append: SendAppend;
  /**
   * Replaces an append call without an answer since `sinceMs` (of `performance.now()`), even if other calls are
   * answered.
   */
  readonly appendUnanswered: (sinceMs: number) => void;
}

export type Connection = ReturnType<typeof connect>;

/**
 * Connects, and replaces an unresponsive link. A half-open peer, a server that never sends its first HTTP/2 frame, and
 * a node that always answers `DEADLINE_EXCEEDED` cannot be distinguished. grpc-js may stay in that state forever
 * without a reconnect, so a link that was silent for a whole timeout is discarded with its connection.
 */
export function connect(given: string, logger: Logger) {
  const { url, authorization } = addressOf(given);
  let opened = 0;
  let answeredAt = 0;
  let link = open();
  let closing = Promise.resolve();

  function open(): Link {
    opened += 1;
    const client = EventStoreDBClient.connectionString(distinct(url, opened));
    return createLink({ client, authorization });
  }

  function discard({ client }: Link): void {
    const gone = disconnect(client).catch((error: unknown) =>
      logger.warn({ err: error }, 'A connection to the event store did not close.'),
    );
    closing = closing.then(() => gone);
  }

  return {
    current: (): Link => link,
    /** Must be called with every answer of the server. */
    answered: (): void => {
      answeredAt = performance.now();
    },
    /**
     * Must be called if `silent` gave no answer since `sinceMs` (of `performance.now()`): replaces it unless that has happened.
     */
    unanswered: (silent: Link, sinceMs: number): void => {
      if (silent !== link || answeredAt >= sinceMs) return;
      logger.warn(
        { silentMs: Math.round(performance.now() - sinceMs) },
        'The event store does not answer; reconnecting.',
      );
      discard(silent);
      link = open();
    },
    close: async (): Promise<void> => {
      discard(link);
      await closing;
    },
  };
}

function createLink(caller: Caller): Link {
  let call: Promise<AppendCall> | undefined;
  const open = (): Promise<AppendCall> => {
    // A late end of a former call is not that of the present one.
    const forget = () => {
      if (call === opening) call = undefined;
    };
    const opening = openAppends(caller).then((opened) => pipelineAppends(opened, forget));
    opening.catch(forget);
    return opening;
  };
  return {
    ...caller,
    append: async (request) => (await (call ??= open())).send(request),
    appendUnanswered: (sinceMs) => {
      call?.then(({ cancelIfSilent }) => cancelIfSilent(sinceMs)).catch(() => undefined);
    },
  };
}

/**
 * grpc-js shares TCP connections, even stuck ones, between all channels of a process with equal options. A keepalive interval
 * that differs by a millisecond gives the next link its own connection.
 */
function distinct(url: string, opened: number): string {
  if (/[?&]keepAliveInterval=/i.test(url)) return url;
  return `${url}${url.includes('?') ? '&' : '?'}keepAliveInterval=${10_000 + (opened % 1_000)}`;
}
