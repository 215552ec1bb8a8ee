import type { Logger } from 'pino';
import type { NodeId } from '../../../contracts/ids.ts';

/** Milliseconds within which the URL of a node must change back, and between two warnings about it. */
const withinMs = 60_000;

interface Seen {
  url: string;
  /** The URL before it, and the time of the change. */
  former?: string;
  changedAt: number;
  warnedAt: number;
}

/**
 * Warns of two processes with the credential of one node, as on a copy of its machine: their heartbeats report different URLs in turn. A
 * node that restarts with another URL does not return to the former one.
 *
 * @returns a function to be called with the URL of each heartbeat
 */
export function watchForCopies(logger: Logger, now: () => number = () => performance.now()) {
  const nodes = new Map<NodeId, Seen>();
  return (node: NodeId, url: string): void => {
    const seen = nodes.get(node);
    if (seen === undefined) return void nodes.set(node, { url, changedAt: -Infinity, warnedAt: -Infinity });
    if (seen.url === url) return;
    const at = now();
    const isBack = seen.former === url && at - seen.changedAt < withinMs;
    Object.assign(seen, { url, former: seen.url, changedAt: at });
    if (!isBack || at - seen.warnedAt < withinMs) return;
    seen.warnedAt = at;
    logger.warn(
      { node_id: node, urls: [seen.url, seen.former] },
      'Two processes have the credential of one node, as on a copy of its machine, and lose sessions: ' +
        'remove `DATA_DIR/node/credential` on one of them and restart it.',
    );
  };
}
