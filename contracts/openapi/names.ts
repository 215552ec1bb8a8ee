import * as account from '../resources/account.ts';
import * as accountLimits from '../resources/account-limits.ts';
import * as agentSession from '../resources/agent-session.ts';
import * as agentTurn from '../resources/agent-turn.ts';
import * as apiKey from '../resources/api-key.ts';
import * as archetype from '../resources/archetype.ts';
import * as auditProof from '../resources/audit-proof.ts';
import * as bill from '../resources/bill.ts';
import * as bundledLlm from '../resources/bundled-llm.ts';
import * as cardBilling from '../resources/card-billing.ts';
import * as creator from '../resources/creator.ts';
import * as deprecation from '../resources/deprecation.ts';
import * as deviceGrant from '../resources/device-grant.ts';
import * as emailPreferences from '../resources/email-preferences.ts';
import * as event from '../resources/event.ts';
import * as history from '../resources/history.ts';
import * as legal from '../resources/legal.ts';
import * as live from '../resources/live.ts';
import * as login from '../resources/login.ts';
import * as observation from '../resources/observation.ts';
import * as order from '../resources/order.ts';
import * as orderReceipt from '../resources/order-receipt.ts';
import * as organization from '../resources/organization.ts';
import * as ownLlmKey from '../resources/own-llm-key.ts';
import * as pairMode from '../resources/pair-mode.ts';
import * as profile from '../resources/profile.ts';
import * as proxy from '../resources/proxy.ts';
import * as recipe from '../resources/recipe.ts';
import * as request from '../resources/request.ts';
import * as secondFactor from '../resources/second-factor.ts';
import * as session from '../resources/session.ts';
import * as sessionLogin from '../resources/session-login.ts';
import * as sessionTabs from '../resources/session-tabs.ts';
import * as sessionVideo from '../resources/session-video.ts';
import * as status from '../resources/status.ts';
import * as target from '../resources/target.ts';
import * as team from '../resources/team.ts';
import * as usage from '../resources/usage.ts';
import * as webhookDelivery from '../resources/webhook-delivery.ts';
import * as webhookEndpoint from '../resources/webhook-endpoint.ts';
import * as webhookReplay from '../resources/webhook-replay.ts';
import { EgressCapabilities } from '../operations.ts';
import type { TSchema } from '../schema.ts';
import { Challenge, WebhookEnvelope } from '../webhooks/envelope.ts';
import { taggedVariants } from './json-schema.ts';
import { inPascalCase } from './words.ts';

const modules = [
  ...[account, accountLimits, agentSession, agentTurn, apiKey, archetype, auditProof, bill, bundledLlm],
  ...[cardBilling, creator, deprecation, deviceGrant, emailPreferences, event, history, legal, live, login],
  ...[observation, order, orderReceipt, organization, ownLlmKey, pairMode, profile, proxy, recipe, request],
  ...[secondFactor, session, sessionLogin, sessionTabs, sessionVideo, status, target, team, usage],
  ...[webhookDelivery, webhookEndpoint, webhookReplay],
  { EgressCapabilities, Challenge, WebhookEnvelope },
] as readonly Readonly<Record<string, unknown>>[];

/** Schemas of two modules with the same name. */
const renamed: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [agentTurn.Usage, 'AgentUsage'],
  [agentTurn.Message, 'AgentMessage'],
  [login.Login, 'LoginRequest'],
]);

/** Parts of other schemas that read better inlined, and `Plan`, which is internal. */
const unnamed: ReadonlySet<unknown> = new Set<unknown>([
  ...[webhookReplay.ReplayAccepted, webhookEndpoint.Subscription, target.Selector, sessionTabs.TabId],
  agentTurn.Plan,
]);

const exported: readonly (readonly [string, TSchema])[] = modules.flatMap((module) =>
  Object.entries(module)
    .filter((entry): entry is [string, TSchema] => isSchema(entry[1]) && !unnamed.has(entry[1]))
    .map(([name, schema]) => [renamed.get(schema) ?? name, schema] as const),
);

/** Names the variants of a tagged union: `TapAction` of `Action`. */
const variantsIn = ([name, schema]: readonly [string, TSchema]): (readonly [string, TSchema])[] =>
  taggedVariants(schema)
    .filter(({ variant }) => !exported.some(([, known]) => known === variant))
    .map(({ value, variant }) => [`${inPascalCase(value)}${name}`, variant as TSchema] as const);

/** Named schemas of the documents: exports of resources, and variants of unions. Others are inlined. */
export const namedSchemas: readonly (readonly [string, TSchema])[] = [
  ...exported,
  ...exported.flatMap(variantsIn),
].sort(([one], [other]) => (one < other ? -1 : 1));

/** Names by schema. A union is found by its members too, which an optional copy of it shares. */
export const schemaNames: ReadonlyMap<unknown, string> = new Map<unknown, string>(
  namedSchemas.flatMap(([name, schema]): [unknown, string][] => [
    [schema, name],
    ...('anyOf' in schema ? [[schema.anyOf, name] as [unknown, string]] : []),
  ]),
);

/** True for schemas: resources also export lists and parameters. */
function isSchema(value: unknown): value is TSchema {
  if (typeof value !== 'object' || value === null) return false;
  return (
    ('type' in value && typeof value.type === 'string') || ('anyOf' in value && Array.isArray(value.anyOf))
  );
}
