import { categories } from '../contracts/events/index.ts';
import { accountEvents } from './account-events.ts';
import { accounts } from './accounts.ts';
import { apiKeys } from './api-keys.ts';
import { auditLog } from './audit/log.ts';
import { mails } from './mails.ts';
import { nodes } from './nodes.ts';
import type { Projection } from './projection.ts';
import { sessions } from './sessions.ts';
import { timers } from './timers.ts';
import { webhookDeliveries } from './webhook-deliveries.ts';
import { webhookReplays } from './webhook-replays.ts';
import { webhooks } from './webhooks.ts';

/** Every projection, by the name of its table. */
export const projections: readonly Projection[] = [
  sessions,
  apiKeys,
  accounts,
  auditLog,
  nodes,
  timers,
  webhooks,
  webhookDeliveries,
  webhookReplays,
  accountEvents,
  mails,
];

export function projectionNamed(name: string): Projection {
  const found = projections.find((each) => each.name === name);
  if (found) return found;
  throw new Error(
    `There is no projection "${name}"; there are ${projections.map((each) => each.name).join(', ')}.`,
  );
}

/**
 * The live projector follows every category, also those nobody has use for: its checkpoint then passes every position a
 * writer can have noted, and no reader waits for one it will never reach.
 */
export const allPrefixes: readonly string[] = Object.keys(categories).map((name) => `${name}-`);
