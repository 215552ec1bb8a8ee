import { recordContracts } from '../records.ts';
import type { Route } from '../route.ts';
import { agentSessionRoutes } from './agent-sessions.ts';
import { accountRoutes } from './account.ts';
import { auditProofRoutes } from './audit-proofs.ts';
import { agentLinkRoutes } from './agent-links.ts';
import { agentLiveRoutes } from './agent-live.ts';
import { agentSessionReadRoutes } from './agent-session-reads.ts';
import { agentMessageRoutes } from './agent-messages.ts';
import { apiKeyRoutes } from './api-keys.ts';
import { cardBillingRoutes } from './card-billing.ts';
import { billRoutes } from './bill.ts';
import { legalRoutes } from './legal.ts';
import { mfaRoutes } from './second-factor.ts';
import { oauthRoutes } from './device-grant.ts';
import { authRoutes } from './login.ts';
import { emailRoutes } from './email.ts';
import { orderRoutes } from './orders.ts';
import { publicTreeRoutes } from './public-tree.ts';
import { profileStateRoutes } from './profile-states.ts';
import { profileRoutes } from './profiles.ts';
import { recipeSuggestionRoutes } from './recipes.ts';
import { settingsRoutes } from './settings.ts';
import { sessionRoutes } from './sessions.ts';
import { statusRoutes } from './status.ts';
import { teamRoutes } from './team.ts';
import { webhookRoutes } from './webhooks.ts';

export type { Route };

/** The authorisation table: all public routes. */
export const routes = [
  ...statusRoutes,
  ...authRoutes,
  ...sessionRoutes,
  ...agentSessionRoutes,
  ...agentLiveRoutes,
  ...agentLinkRoutes,
  ...agentSessionReadRoutes,
  ...agentMessageRoutes,
  ...recipeSuggestionRoutes,
  ...apiKeyRoutes,
  ...accountRoutes,
  ...auditProofRoutes,
  ...publicTreeRoutes,
  ...webhookRoutes,
  ...recordContracts.flatMap(({ routes: ofNoun }): readonly (typeof ofNoun)[number][] => ofNoun),
  ...profileRoutes,
  ...profileStateRoutes,
  ...settingsRoutes,
  ...mfaRoutes,
  ...legalRoutes,
  ...oauthRoutes,
  ...emailRoutes,
  ...teamRoutes,
  ...cardBillingRoutes,
  ...orderRoutes,
  ...billRoutes,
] as const satisfies readonly Route[];

export type RouteId = (typeof routes)[number]['id'];
export type Side = Route['side'];
export type RouteOf<Id extends RouteId> = Extract<(typeof routes)[number], { id: Id }>;
export type RouteIdOn<S extends Side> = Extract<(typeof routes)[number], { side: S }>['id'];
