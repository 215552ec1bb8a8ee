import type { Category } from '../../contracts/events/catalogue.ts';
import type { CategoryName } from '../../contracts/events/index.ts';
import type { recordContracts } from '../../contracts/records.ts';
import { account } from '../account.ts';
import { accountSlots } from '../account-slots.ts';
import { accountWebhooks } from '../account-webhooks.ts';
import { agentSession } from '../agent-session/agent-session.ts';
import { apiKey } from '../api-key.ts';
import { auditHead } from '../audit-head.ts';
import { bundledLlm, bundledSpend } from '../bundled-llm.ts';
import { cardCustomer } from '../card-customer.ts';
import { recordNouns } from '../catalogue.ts';
import { deprecatedUse } from '../deprecated-use.ts';
import { deviceGrant } from '../device-grant.ts';
import { emailReservation } from '../email.ts';
import { emailPreferences } from '../email-preferences.ts';
import { incident } from '../incident.ts';
import type { AnyRecordNoun } from '../kit/record.ts';
import { login } from '../login.ts';
import { mail } from '../mail.ts';
import { node } from '../node.ts';
import { order } from '../order/order.ts';
import { organization } from '../organization.ts';
import { ownLlmKey } from '../own-llm-key.ts';
import { probe } from '../probe.ts';
import { processorEvent } from '../processor-event.ts';
import { profileSnapshot, snapshotQuota } from '../profile-snapshot.ts';
import { profile } from '../profile/profile.ts';
import { accountProfiles } from '../profile/quota.ts';
import { publicTree } from '../public-tree.ts';
import { receipt } from '../receipt.ts';
import { secondFactor } from '../second-factor.ts';
import { sessionHolder } from '../session-holder.ts';
import { session } from '../session/session.ts';
import { statusSubscriber } from '../status-subscriber.ts';
import { subscription } from '../subscription.ts';
import { invitationQuota, teamMember } from '../team-member.ts';
import { webSession } from '../web-session.ts';
import { webhookDelivery } from '../webhook-delivery/webhook-delivery.ts';
import { webhookEndpoint } from '../webhook-endpoint/webhook-endpoint.ts';
import { webhookReplay } from '../webhook-replay.ts';

/** A decider of any category. The category ensures that its events are its own. */
export interface AnyDecider {
  readonly category: Category;
  readonly initialState: unknown;
  evolve(state: unknown, event: { readonly type: string; readonly data: unknown }): unknown;
}

type OfRecords = (typeof recordContracts)[number]['events' | 'quota']['name'];

const nouns: readonly AnyRecordNoun[] = Object.values(recordNouns);

/** Deciders of the other categories; a type error if one is missing. */
const own = {
  account,
  account_invitations: invitationQuota,
  account_profiles: accountProfiles,
  account_slots: accountSlots,
  account_webhooks: accountWebhooks,
  agent_session: agentSession,
  api_key: apiKey,
  audit_head: auditHead,
  bundled_llm: bundledLlm,
  bundled_spend: bundledSpend,
  card_customer: cardCustomer,
  deprecated_use: deprecatedUse,
  device_grant: deviceGrant,
  email: emailReservation,
  email_preferences: emailPreferences,
  incident,
  login,
  mail,
  node,
  order,
  organization,
  own_llm_key: ownLlmKey,
  probe,
  processor_event: processorEvent,
  profile,
  profile_snapshot: profileSnapshot,
  profile_snapshots: snapshotQuota,
  public_tree: publicTree,
  receipt,
  second_factor: secondFactor,
  session,
  session_holder: sessionHolder,
  status_subscriber: statusSubscriber,
  subscription,
  team_member: teamMember,
  web_session: webSession,
  webhook_delivery: webhookDelivery,
  webhook_endpoint: webhookEndpoint,
  webhook_replay: webhookReplay,
} as const satisfies Readonly<Record<Exclude<CategoryName, OfRecords>, AnyDecider>>;

/** The decider of each stream category. */
export const deciders: Readonly<Record<string, AnyDecider>> = {
  ...own,
  ...Object.fromEntries(
    nouns.flatMap(({ record, quota }) => [record, quota]).map((each) => [each.category.name, each]),
  ),
};
