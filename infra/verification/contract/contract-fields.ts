import type { TObject } from 'typebox';
import { Account } from '../../../contracts/resources/account.ts';
import { AgentSession, CreateAgentSession } from '../../../contracts/resources/agent-session.ts';
import {
  IntentResult,
  Message,
  MessageAnswer,
  TranscriptEntry,
  Usage,
} from '../../../contracts/resources/agent-turn.ts';
import { Profile, ProfileSnapshot } from '../../../contracts/resources/profile.ts';
import * as session from '../../../contracts/resources/session.ts';
import { Membership } from '../../../contracts/resources/team.ts';
import { Webhook } from '../../../contracts/resources/webhook-endpoint.ts';

interface Named {
  readonly name: string;
  readonly schema: Pick<TObject, 'properties'>;
  /** Fields that the contract names. */
  readonly fields: readonly string[];
}

const of = (name: string, schema: Pick<TObject, 'properties'>, fields: string): Named => ({
  ...{ name, schema, fields: fields.split(' ') },
});
const variant = (kind: string): Pick<TObject, 'properties'> => {
  const found = IntentResult.anyOf.find(({ properties }) => properties.kind.const === kind);
  if (found === undefined) throw new Error(`No result of an intent is a ${kind}.`);
  return found;
};

const answer = (kind: string): Pick<TObject, 'properties'> => {
  const found = MessageAnswer.anyOf.find(({ properties }) => properties.kind.const === kind);
  if (found === undefined) throw new Error(`No answer to a message is a ${kind}.`);
  return found;
};

/** Bodies whose fields the contract lists. For all others it does not show them. */
export const contractFields: readonly Named[] = [
  of(
    'AgentSession',
    AgentSession,
    'id account_id service_session_id status closed_reason closed_at token_budget_total token_budget_remaining transcript_length created_by_user_id mode model pair_mode_state created_at updated_at video error_event',
  ),
  of(
    'CreateAgentSession',
    CreateAgentSession,
    'mode model service_session_id token_budget profile_id proxy_id initial_url geolocation',
  ),
  of('TranscriptEntry', TranscriptEntry, 'role body at intents'),
  of('Message', Message, 'user_message approvals'),
  of('MessageAnswer.plan-executed', answer('plan-executed'), 'kind session intents results ok usage'),
  of('MessageAnswer.clarify', answer('clarify'), 'kind session clarifying_question'),
  of('MessageAnswer.refuse', answer('refuse'), 'kind session refuse_reason'),
  of('MessageAnswer.logged-manual', answer('logged-manual'), 'kind session'),
  of('IntentResult.success', variant('success'), 'kind intent summary captureId'),
  of('IntentResult.failure', variant('failure'), 'kind intent reason diagnosis'),
  of('Usage', Usage, 'decomposer_kind model provider_input_tokens provider_output_tokens cost_usd_cents'),
  of('Session', session.Session, 'id archetype status label metadata created_at egress_capabilities'),
  of('CreateSession', session.CreateSession, 'archetype label metadata profile_id'),
  of('Navigate', session.Navigate, 'url wait_until timeout_ms'),
  of('NavigateResult', session.NavigateResult, 'final_url status duration_ms'),
  of('CaptureResult', session.CaptureResult, 'kind data encoding byte_size duration_ms'),
  of('StateResult', session.StateResult, 'url title cookies local_storage captured_at'),
  of('Cookie', session.Cookie, 'domain name value path expires httpOnly secure sameSite'),
  of('Profile', Profile, 'id name archetype description last_used_at created_at updated_at'),
  of(
    'ProfileSnapshot',
    ProfileSnapshot,
    'id label description parent_archetype parent_name parent_profile_id captured_at state_blob',
  ),
  of('WebhookEndpoint', Webhook, 'id url events description consecutive_failures disabled_at'),
  of('Membership', Membership, 'owner_account_id role membership_id'),
  of('Account', Account, 'id email teams'),
];
