import * as agentSession from '../resources/agent-session.ts';
import * as agentTurn from '../resources/agent-turn.ts';
import * as pairMode from '../resources/pair-mode.ts';
import * as live from '../resources/live.ts';
import * as account from '../resources/account.ts';
import * as limits from '../resources/account-limits.ts';
import * as bundledLlm from '../resources/bundled-llm.ts';
import * as emailPreferences from '../resources/email-preferences.ts';
import * as organization from '../resources/organization.ts';
import * as ownLlmKey from '../resources/own-llm-key.ts';
import * as usage from '../resources/usage.ts';
import * as apiKey from '../resources/api-key.ts';
import * as archetype from '../resources/archetype.ts';
import * as legal from '../resources/legal.ts';
import * as mfa from '../resources/second-factor.ts';
import * as oauth from '../resources/device-grant.ts';
import * as session from '../resources/session.ts';
import * as status from '../resources/status.ts';
import * as team from '../resources/team.ts';
import * as delivery from '../resources/webhook-delivery.ts';
import * as endpoint from '../resources/webhook-endpoint.ts';
import * as replay from '../resources/webhook-replay.ts';
import * as history from '../resources/history.ts';
import { EgressCapabilities } from '../operations.ts';
import type { TSchema } from '../schema.ts';
import { WebhookEnvelope } from '../webhooks/envelope.ts';

/** Another resource has a `Usage`, and a `Plan` never leaves the service. */
const { Usage: AgentUsage, Message: AgentMessage, Plan: _, ...otherAgentSchemas } = agentTurn;
const agentTurnSchemas = { AgentUsage, AgentMessage, ...otherAgentSchemas };

const exported: Readonly<Record<string, unknown>> = {
  ...{ ...account, ...apiKey, ...archetype, ...session, ...team, ...delivery, ...endpoint, ...replay },
  ...{ ...organization, ...emailPreferences, ...ownLlmKey, ...bundledLlm, ...usage, ...limits },
  ...{ ...legal, ...history, ...mfa, ...oauth, ...status },
  ...{ ...agentSession, ...pairMode, ...live, ...agentTurnSchemas },
  ...{ EgressCapabilities, WebhookEnvelope },
};
/** Parts of others, that read better where they are used. */
const unnamed: ReadonlySet<string> = new Set(['ReplayAccepted', 'Subscription']);

/** The schemas that the documents name: those that resources export. Any other is written where it is used. */
export const namedSchemas: Readonly<Record<string, TSchema>> = Object.fromEntries(
  Object.entries(exported)
    .filter((entry): entry is [string, TSchema] => isSchema(entry[1]) && !unnamed.has(entry[0]))
    .sort(([one], [other]) => (one < other ? -1 : 1)),
);

/** Resources also export lists of words, and parameters of queries. */
function isSchema(value: unknown): value is TSchema {
  if (typeof value !== 'object' || value === null) return false;
  return (
    ('type' in value && typeof value.type === 'string') || ('anyOf' in value && Array.isArray(value.anyOf))
  );
}

export const schemaNames: ReadonlyMap<object, string> = new Map(
  Object.entries(namedSchemas).map(([name, schema]) => [schema, name]),
);
