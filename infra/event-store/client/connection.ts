import { performance } from 'node:perf_hooks';
import { EventStoreDBClient } from '@eventstore/db-client';
import type { Logger } from 'pino';
import { pipelineAppends, type SendAppend } from './append-call.ts';
import { addressOf } from './address.ts';
import { disconnect, openAppends, type Caller } from './wire.ts';

/** One client with its calls. A connection has one at a time and replaces it when it stops answering. */
export interface Link extends Caller {
  /** Sends over the append call, which is opened at the first append and again after it broke. */
  readonly append: SendAppend;
}

export type Connection = ReturnType<typeof connect>;

/**
 * A half-open peer, a server stuck before its first HTTP/2 frame and a node that answers `DEADLINE_EXCEEDED` for ever all
 * look alike from here: silence. grpc-js may sit in that state without end and the client does not reconnect, so a link
 * that was silent for a whole wait is thrown away with its connection.
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
      logger.warn({ err: error }, 'Event store link did not close.'),
    );
    closing = closing.then(() => gone);
  }

  return {
    current: (): Link => link,
    /** To be called with every answer of the server. */
    answered: (): void => {
      answeredAt = performance.now();
    },
    /** To be called when `silent` gave no answer since `sinceMs` (of `performance.now()`): replaces it if nothing else did. */
    unanswered: (silent: Link, sinceMs: number): void => {
      if (silent !== link || answeredAt >= sinceMs) return;
      logger.warn(
        { silentMs: Math.round(performance.now() - sinceMs) },
        'event store is silent: connecting anew',
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
  let call: Promise<SendAppend> | undefined;
  const forget = () => (call = undefined);
  return {
    ...caller,
    append: async (request) => {
      call ??= openAppends(caller).then((opened) => pipelineAppends(opened, forget));
      call.catch(forget);
      return (await call)(request);
    },
  };
}

/**
 * grpc-js shares TCP connections between all channels of a process that have equal options, a stuck one too. A keepalive
 * interval one millisecond apart makes the next link's options differ, so that it gets a connection of its own.
 */
function distinct(url: string, opened: number): string {
  if (/[?&]keepAliveInterval=/i.test(url)) return url;
  return `${url}${url.includes('?') ? '&' : '?'}keepAliveInterval=${10_000 + (opened % 1_000)}`;
}
