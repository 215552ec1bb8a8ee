import type { Logger } from 'pino';
import type { NodeId } from '../../../contracts/ids.ts';

/** Milliseconds within which the URL of a node must change back, and between two warnings about it. */
const withinMs = 60_000;

/** The last change of a node's URL that this process has received, in milliseconds of its clock. */
interface Change {
  readonly urls: readonly [former: string, url: string];
  readonly at: number;
  readonly warnedAt: number;
}

/**
 * Warns of two processes with the credential of one node, as on a copy of its machine: their heartbeats report different URLs in turn. A
 * node that restarts with another URL does not return to the former one. Each process of the control plane may receive any of the
 * heartbeats: two equal changes mean that another one received the change back.
 *
 * @returns a function to be called with the URL of each heartbeat, and that of the node's heartbeat before
 */
export function watchForCopies(logger: Logger, now: () => number = () => performance.now()) {
  const changes = new Map<NodeId, Change>();
  return (node: NodeId, url: string, former: string | undefined): void => {
    if (former === undefined || former === url) return;
    const at = now();
    for (const [id, change] of changes) if (at - change.at >= withinMs) changes.delete(id);
    const last = changes.get(node);
    const isInTurn = last !== undefined && last.urls.includes(url) && last.urls.includes(former);
    const { warnedAt = -Infinity } = last ?? {};
    const isToWarn = isInTurn && at - warnedAt >= withinMs;
    changes.set(node, { urls: [former, url], at, warnedAt: isToWarn ? at : warnedAt });
    if (!isToWarn) return;
    logger.warn(
      { node_id: node, urls: [url, former] },
      'Two processes have the credential of one node, as on a copy of its machine, and lose sessions: ' +
        'remove `DATA_DIR/node/credential` on one of them and restart it.',
    );
  };
}
