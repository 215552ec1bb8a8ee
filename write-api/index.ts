import { type Express, Router } from 'express';
import type { Caller } from '../commands/engine/context.ts';
import type { Clock } from '../infra/platform/clock.ts';
import type { AccessTokens } from '../infra/credentials/access-tokens.ts';
import { createFleetIngress, type FleetIngressOptions } from '../infra/fleet/control-plane/ingress.ts';
import { keepListening } from '../infra/fleet/control-plane/listening.ts';
import type { NodeVideos } from '../infra/fleet/control-plane/video.ts';
import { createVideoIngress } from '../infra/fleet/control-plane/video-ingress.ts';
import { createTunnelIngress } from '../infra/fleet/tunnel/ingress.ts';
import type { Tunnels } from '../infra/fleet/tunnel/tunnels.ts';
import { createApi, type ApiOptions, type OnUpgrade } from '../infra/http/index.ts';
import type { Peppers } from '../infra/keys/index.ts';
import type { KeyUses } from '../infra/ephemeral/index.ts';
import type { AddressRules } from '../infra/outbound/address-rules.ts';
import type { RateLimits } from '../infra/rate-limits/index.ts';
import { emailHandlers } from './account/email.ts';
import { legalHandlers } from './account/legal.ts';
import { agentLinkHandlers } from './agent-session/agent-links.ts';
import { agentLiveHandlers } from './agent-session/agent-live.ts';
import { agentMessageHandlers } from './agent-session/agent-message.ts';
import { agentSessionHandlers } from './agent-session/agent-session.ts';
import { apiKeyHandlers } from './api-key/api-key.ts';
import { cardBillingHandlers, type OnCardCallback } from './card-billing/card-billing.ts';
import type { WriteCommands } from './commands.ts';
import { actForBy, authenticateBy, followChanges } from './engine/authentication.ts';
import { confirmationBy } from './engine/confirmation.ts';
import { createHandling, type Handling } from './engine/handling.ts';
import { idempotently, type Idempotently } from './engine/idempotency.ts';
import { duringOutage } from './engine/outage.ts';
import type { PositionRecordingStore } from './engine/position-recording-store.ts';
import { recordHandlers } from './engine/records.ts';
import { signInReplies } from './engine/sign-in-reply.ts';
import { oauthHandlers } from './login/device-grant.ts';
import { authHandlers, linkHandlers } from './login/login.ts';
import { mfaHandlers } from './login/second-factor.ts';
import { answerHeartbeats } from './node/node-heartbeat.ts';
import { followRooms } from './node/room-news.ts';
import { orderHandlers } from './order/order.ts';
import { profileStateHandlers } from './profile/profile-state.ts';
import { profileHandlers, snapshotHandlers, transferHandlers } from './profile/profile.ts';
import { proxyHandlers } from './proxy/proxy.ts';
import { recipeHandlers } from './recipe/recipe.ts';
import { sessionHandlers } from './session/session.ts';
import { settingsHandlers } from './settings/settings.ts';
import { statusHandlers } from './status/status.ts';
import { teamHandlers } from './team/team.ts';
import { webhookHandlers, webhookSendingHandlers } from './webhook/webhook-endpoint.ts';
import { webhookReplayHandlers } from './webhook/webhook-replay.ts';

/** What the API needs besides the commands. */
export interface WriteEdge extends Pick<
  ApiOptions<'write', Caller>,
  | 'errorsBase'
  | 'baseUrl'
  | 'models'
  | 'operations'
  | 'onServed'
  | 'bodyLimitBytes'
  | 'spoolDirectory'
  | 'checkReplies'
  | 'deprecations'
  | 'onDeprecatedUse'
  | 'logger'
> {
  readonly clock: Clock;
  /** The store of the commands. */
  readonly recording: PositionRecordingStore;
  readonly keyUses: Pick<KeyUses, 'record'>;
  readonly rateLimits: Pick<RateLimits, 'consume' | 'consumeOfAddress' | 'attempts'>;
  /** Checks addresses by their text; nodes check the resolved ones. */
  readonly addresses: AddressRules;
  /** Peppers of the tokens in mailed links. */
  readonly peppers: Pick<Peppers, 'inUse'>;
  readonly signIn: SignInEdge;
  /** Configuration of the fleet's control routes. */
  readonly ingress: Pick<FleetIngressOptions, 'registry' | 'joinToken' | 'heartbeatMs' | 'internal'> & {
    readonly tunnels: Tunnels;
  };
  readonly videos: Pick<NodeVideos, 'keep'>;
  readonly onCardCallback?: OnCardCallback;
}

export interface SignInEdge {
  readonly tokens: Pick<AccessTokens, 'readAccess'>;
  /** Lifetime of a web session without a refresh, in milliseconds. */
  readonly refreshMs: number;
  /** The present revision of the terms; empty: none. */
  readonly termsRevision: string;
  /** The page on which owners enter a device's code. */
  readonly verificationUri: string;
}

export interface WriteApi {
  readonly app: Express;
  /** Takes the tunnels of nodes, and connections through them. */
  readonly upgrade: OnUpgrade;
  /** Resolves when no handler runs. Handlers continue after their client has left. */
  readonly idle: () => Promise<void>;
  /** Stops background work. Call it once the listener has closed: its `close` lets requests in flight finish. */
  readonly close: () => Promise<void>;
}

/** The API of all changes and operations, and the control routes for nodes. */
export function createWriteApi(commands: WriteCommands, edge: WriteEdge): WriteApi {
  const { recording, clock, logger, operations, rateLimits } = edge;
  const { credentials, sessions, secondFactor, teams } = commands;
  const heartbeats = answerHeartbeats(commands.nodes, sessions, edge.ingress.registry);
  const changed = (stream: string): void => [credentials, heartbeats].forEach((each) => each.changed(stream));
  recording.onAppend(changed);
  const changes = followChanges(recording.store, changed, logger);
  const rooms = followRooms(recording.store, logger);
  const sent = {
    ...{ onReport: sessions.takeReport, states: commands.saves, videos: edge.videos },
    rooms: { ...commands.agentRooms, watch: rooms.watch },
    onWatched: commands.agentRooms.watched,
  };
  const ingress = createFleetIngress({ ...edge.ingress, ...heartbeats, ...sent, logger });
  const joining = createVideoIngress(commands.agentVideo, logger);
  const { tunnels } = edge.ingress;
  const upgrade = createTunnelIngress({ nodes: heartbeats.nodes, tunnels, logger });
  const { ping } = recording.store;
  const listening = keepListening({ ...edge.ingress, instance: tunnels.instance, ping, logger });
  const handling = createHandling(recording.recorded);

  const app = createApi<'write', Caller>({
    ...edge,
    side: 'write',
    operations: Router().use(...(operations ? [operations] : []), ingress, joining),
    handlers: handlersOf(commands, edge, handling, idempotently(commands.receipts, edge.errorsBase)),
    authenticate: duringOutage(authenticateBy(credentials, edge.keyUses)),
    confirmation: duringOutage(confirmationBy(secondFactor, clock)),
    findTeamCaller: duringOutage(actForBy(teams, credentials)),
    attempts: rateLimits.attempts,
    limit: rateLimits.consume,
    limitAddress: rateLimits.consumeOfAddress,
  });
  const close = (): Promise<void> => {
    listening.close();
    return Promise.all([changes.close(), rooms.close()]).then(() => undefined);
  };
  return { app, upgrade, idle: handling.idle, close };
}

const handlersOf = (commands: WriteCommands, edge: WriteEdge, handling: Handling, once: Idempotently) => ({
  ...sessionHandlers(commands.sessions, edge.addresses, handling, once, {
    ...commands.agentVideo,
    ...commands.agentLive,
  }),
  ...agentSessionHandlers(commands.agentSessions, handling, once),
  ...agentMessageHandlers(commands, handling, once),
  ...agentLiveHandlers(commands.agentLive, commands.agentVideo, handling),
  ...agentLinkHandlers(commands.agentLinks, handling),
  ...recipeHandlers(commands.recipes, commands.agentSessions, handling),
  ...profileHandlers(commands.profiles, handling),
  ...profileStateHandlers(commands, handling, once),
  ...transferHandlers(commands.profiles, handling),
  ...snapshotHandlers(commands.profiles, handling),
  ...recordHandlers(commands, commands.vault, handling),
  ...proxyHandlers(commands.proxies, handling),
  ...apiKeyHandlers(commands, commands.clock, handling),
  ...webhookHandlers(commands, commands.clock, handling),
  ...webhookSendingHandlers(commands.webhooks, handling),
  ...webhookReplayHandlers(commands.webhooks, commands.clock, handling),
  ...settingsHandlers(commands.settings, handling),
  ...teamHandlers(commands.teams, commands, handling),
  ...cardBillingHandlers(
    commands.cards,
    confirmationBy(commands.secondFactor, edge.clock),
    edge.onCardCallback,
    handling,
  ),
  ...orderHandlers(commands.orders, handling, once),
  ...statusHandlers(commands.subscribers, handling),
  ...emailHandlers({ ...commands, peppers: edge.peppers }, handling),
  ...peopleHandlers(commands, edge, handling),
});

/** The routes for people, not API keys: sign-in, step-up, devices, and the terms. */
function peopleHandlers(commands: WriteCommands, { signIn, baseUrl }: WriteEdge, handling: Handling) {
  const { logins, webSessions, secondFactor, deviceGrants } = commands;
  const replies = signInReplies({ baseUrl, refreshMs: signIn.refreshMs });
  const auth = { logins, webSessions, tokens: signIn.tokens, replies };
  return {
    ...authHandlers(auth, handling),
    ...linkHandlers(auth, handling),
    ...mfaHandlers(secondFactor, replies, handling),
    ...oauthHandlers(deviceGrants, signIn.verificationUri, handling),
    ...legalHandlers(commands.acceptTerms, signIn.termsRevision, handling),
  };
}
