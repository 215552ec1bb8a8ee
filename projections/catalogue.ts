import { categories } from '../contracts/events/index.ts';
import { accountEvents } from './read-models/account-event.ts';
import { accounts } from './read-models/account.ts';
import { agentSessions } from './read-models/agent-session.ts';
import { apiKeys } from './read-models/api-key.ts';
import { auditLog } from './audit/log.ts';
import { causes } from './read-models/cause.ts';
import { deprecatedUses } from './read-models/deprecated-use.ts';
import { logins } from './read-models/login.ts';
import { billLines } from './read-models/bill-line.ts';
import { committedMinutes } from './read-models/committed-minute.ts';
import { mails } from './read-models/mail.ts';
import { nodes } from './read-models/node.ts';
import { orders } from './read-models/order.ts';
import { publicHeads } from './read-models/public-head.ts';
import { publicLeaves } from './audit/public-leaves.ts';
import { profiles } from './read-models/profile.ts';
import { profileStorage } from './read-models/profile-storage.ts';
import { profileSnapshots } from './read-models/profile-snapshot.ts';
import type { Projection } from './engine/projection.ts';
import { recordModels } from './read-models/record.ts';
import { subscriptions } from './read-models/subscription.ts';
import { secondFactors } from './read-models/second-factor.ts';
import { sessions } from './read-models/session.ts';
import {
  accountEmailPreferences,
  bundledLlmSettings,
  bundledSpends,
  organizations,
  ownLlmKeys,
} from './read-models/settings.ts';
import { statusSubscribers } from './read-models/status-subscriber.ts';
import { teamInvitations, teamMembers } from './read-models/team.ts';
import { timers } from './read-models/timer.ts';
import { usageHours } from './read-models/usage.ts';
import { webhookDeliveries } from './read-models/webhook-delivery.ts';
import { webSessions } from './read-models/web-session.ts';
import { webhookReplays } from './read-models/webhook-replay.ts';
import { webhooks } from './read-models/webhook-endpoint.ts';

/** Projections other than nouns of records. */
export const ownProjections = [
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
  secondFactors,
  logins,
  webSessions,
  organizations,
  accountEmailPreferences,
  ownLlmKeys,
  bundledLlmSettings,
  bundledSpends,
  usageHours,
  teamInvitations,
  teamMembers,
  profiles,
  profileSnapshots,
  profileStorage,
  agentSessions,
  subscriptions,
  billLines,
  orders,
  deprecatedUses,
  statusSubscribers,
  committedMinutes,
  causes,
  publicLeaves,
  publicHeads,
] as const satisfies readonly Projection[];

/** Every projection, by table name. */
export const projections: readonly Projection[] = [...ownProjections, ...Object.values(recordModels)];

export function projectionNamed(name: string): Projection {
  const found = projections.find((each) => each.name === name);
  if (found) return found;
  throw new Error(
    `There is no projection "${name}"; there are ${projections.map((each) => each.name).join(', ')}.`,
  );
}

/**
 * The live projector follows every category, including those without a read model, so that its checkpoint passes every position
 * recorded by writers; otherwise a reader would wait for a position that is never reached.
 */
export const allPrefixes: readonly string[] = Object.keys(categories).map((name) => `${name}-`);
