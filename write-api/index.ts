import { type Express, Router } from 'express';
import type { Logger } from 'pino';
import { createAgentLive } from '../commands/agent-session/live.ts';
import { createAgentVideo } from '../commands/agent-session/video.ts';
import { createApiKeyCommands } from '../commands/api-key/index.ts';
import type { Caller } from '../commands/engine/context.ts';
import { createCredentials } from '../commands/credentials/index.ts';
import { createProfileCommands, type ProfilePorts } from '../commands/profile/index.ts';
import { createProfileSaves } from '../commands/profile/saves.ts';
import { createProfileStateCommands, type ProfileStatePorts } from '../commands/profile/states.ts';
import { createProxyCommands, type ProxyPorts } from '../commands/proxy.ts';
import { createOwnLlmKeyCommands, type OwnLlmKeyPorts } from '../commands/own-llm-key.ts';
import { createNodeCommands } from '../commands/node/index.ts';
import { createRunner, type Runner } from '../commands/engine/runner.ts';
import { createSessionCommands, type SessionLimits } from '../commands/session/index.ts';
import { createSubscriberCommands } from '../commands/status/subscribers.ts';
import type { MadeByPorts } from '../commands/team/made-by.ts';
import { createTeamCommands, type TeamPorts } from '../commands/team/index.ts';
import { createWebhookCommands, type WebhookPorts } from '../commands/webhook-endpoint/index.ts';
import type { ReceiptPorts } from '../commands/receipt/index.ts';
import type { ArchetypeCatalogue } from '../contracts/resources/archetype.ts';
import { systemPause, type Clock } from '../infra/platform/clock.ts';
import { randomBase62 } from '../infra/keys/base62.ts';
import { UnderWay } from '../infra/platform/under-way.ts';
import type { EventStore } from '../infra/event-store/client/types.ts';
import { createFleetIngress, type FleetIngressOptions } from '../infra/fleet/control-plane/ingress.ts';
import { keepListening } from '../infra/fleet/control-plane/listening.ts';
import type { Fleet, LiveFleet } from '../infra/fleet/control-plane/port.ts';
import type { NodeVideos } from '../infra/fleet/control-plane/video.ts';
import { createApi, type ApiOptions } from '../infra/http/index.ts';
import {
  byEach,
  hashApiKey,
  issueApiKey,
  keyedDigest,
  keyedUuid,
  type Peppers,
} from '../infra/keys/index.ts';
import { createOneTimeTokens } from '../infra/keys/one-time-tokens.ts';
import type { AccountPositions, KeyUses } from '../infra/ephemeral/index.ts';
import type { RateLimits } from '../infra/rate-limits/index.ts';
import { newWebhookSecret } from '../infra/webhooks/signature.ts';
import { agentHandlers, type AgentOptions } from './agent-session/agents.ts';
import { agentLiveHandlers } from './agent-session/agent-live.ts';
import { apiKeyHandlers } from './api-key/api-key.ts';
import { cardBillingHandlers, type CardOptions } from './card-billing/card-billing.ts';
import { actForBy, authenticateBy, followChanges } from './engine/authentication.ts';
import { confirmationBy } from './engine/confirmation.ts';
import { emailHandlers } from './account/email.ts';
import { createHandling, type Handling } from './engine/handling.ts';
import { idempotently } from './engine/idempotency.ts';
import { answerHeartbeats } from './node/node-heartbeat.ts';
import { orderHandlers, type OrderOptions } from './order/order.ts';
import { positionRecordingStore } from './engine/position-recording-store.ts';
import type { AddressRules } from '../infra/outbound/address-rules.ts';
import { duringOutage } from './engine/outage.ts';
import { createPeople, type PeopleOptions } from './login/people.ts';
import { profileHandlers, snapshotHandlers, transferHandlers } from './profile/profile.ts';
import { profileStateHandlers } from './profile/profile-state.ts';
import { proxyHandlers } from './proxy/proxy.ts';
import { sessionHandlers } from './session/session.ts';
import { settingsHandlers, type SettingsPorts } from './settings/settings.ts';
import { statusHandlers } from './status/status.ts';
import { teamHandlers } from './team/team.ts';
import { webhookReplayHandlers } from './webhook/webhook-replay.ts';
import { webhookHandlers, webhookSendingHandlers } from './webhook/webhook-endpoint.ts';

type EdgeOptions = Pick<
  ApiOptions<'write', Caller>,
  | 'errorsBase'
  | 'baseUrl'
  | 'models'
  | 'operations'
  | 'onServed'
  | 'bodyLimitBytes'
  | 'checkReplies'
  | 'deprecations'
  | 'onDeprecatedUse'
>;

/** Durations in milliseconds. */
export interface WriteApiOptions extends EdgeOptions, Omit<PeopleOptions, 'baseUrl'> {
  readonly store: EventStore;
  readonly fleet: Fleet & LiveFleet;
  readonly videos: NodeVideos;
  /** Configuration of the fleet's control routes. */
  readonly ingress: Pick<FleetIngressOptions, 'registry' | 'joinToken' | 'heartbeatMs' | 'internal'>;
  readonly positions: Pick<AccountPositions, 'record'>;
  readonly keyUses: Pick<KeyUses, 'record'>;
  readonly rateLimits: Pick<RateLimits, 'consume' | 'consumeOfAddress' | 'attempts' | 'signIns' | 'mails'>;
  readonly archetypes: ArchetypeCatalogue;
  readonly sessionLimits: SessionLimits;
  readonly webhooks: Pick<WebhookPorts, 'vault' | 'target' | 'limits' | 'forecast'>;
  readonly proxies: Pick<ProxyPorts, 'vault' | 'probe'>;
  readonly profiles: Pick<ProfilePorts, 'newNoiseSeed' | 'retentionMs'> & Pick<ProfileStatePorts, 'states'>;
  readonly agents: AgentOptions['agents'];
  readonly turns: AgentOptions['turns'];
  readonly settings: Pick<OwnLlmKeyPorts, 'vault' | 'tryKey' | 'reminderMs'> &
    Pick<SettingsPorts, 'defaultCapCents'>;
  readonly teams: Pick<TeamPorts, 'vault' | 'inviteTtlMs'>;
  readonly cards: CardOptions;
  readonly orders: OrderOptions;
  /** The guard of addresses by their text; nodes check the resolved addresses. */
  readonly addresses: AddressRules;
  /** Where exports and imports are kept while they are under way. */
  readonly spoolDirectory: string;
  /** Key the hashes of API keys, names and links. */
  readonly peppers: Peppers;
  /** How long a rotated key keeps working. */
  readonly keyGraceMs: number;
  /** Maximum age of a cached key or account, in case an invalidation is missed. */
  readonly keyCacheMs: number;
  readonly receipts: Pick<ReceiptPorts, 'vault' | 'retentionMs'>;
  /** States of streams kept in memory. */
  readonly cacheEntries: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface WriteApi {
  readonly app: Express;
  /** Stops background work. Call it once the listener has closed: its `close` lets requests in flight finish. */
  readonly close: () => Promise<void>;
}

/** The API of all changes and operations, and the control routes that nodes call. */
export function createWriteApi(options: WriteApiOptions): WriteApi {
  const { clock, logger, errorsBase, operations, addresses } = options;
  const changed = (stream: string): void => [credentials, heartbeats].forEach((each) => each.changed(stream));
  const { store, recorded } = positionRecordingStore(options.store, options.positions, changed);
  const runner = createRunner({ store, logger, cacheEntries: options.cacheEntries });
  const { credentials, sessions, receipts, saves, ...features } = createCommands(options, runner);
  const heartbeats = answerHeartbeats(createNodeCommands({ runner, clock }), sessions);
  const sent = { onReport: sessions.takeReport, states: saves, videos: options.videos };
  const ingress = createFleetIngress({ ...options.ingress, ...heartbeats, ...sent, logger });
  const changes = followChanges(options.store, changed, logger);
  const listening = keepListening({ ...options.ingress, logger });
  const handling = createHandling(recorded);
  const once = idempotently(receipts, errorsBase);

  const app = createApi<'write', Caller>({
    ...options,
    side: 'write',
    operations: operations ? Router().use(operations, ingress) : ingress,
    handlers: {
      ...sessionHandlers(sessions, addresses, handling, once),
      ...profileStateHandlers({ sessions, ...features }, handling, once),
      ...orderHandlers(options.orders, { runner, clock }, handling, once),
      ...agentHandlers(options, { runner, store, sessions, ...features }, handling, once),
      ...features.people.handlers(handling),
      ...emailHandlers({ runner, clock, peppers: options.peppers }, handling),
      ...featureHandlers({ ...features, runner, store, clock }, handling),
    },
    authenticate: duringOutage(authenticateBy(credentials, options.keyUses)),
    confirmation: duringOutage(confirmationBy(features.people.secondFactor, clock)),
    actFor: duringOutage(actForBy(features.teams, credentials)),
    attempts: options.rateLimits.attempts,
    limit: options.rateLimits.consume,
    limitAddress: options.rateLimits.consumeOfAddress,
  });
  const close = (): Promise<void> => {
    listening.close();
    return changes.close();
  };
  return { app, close };
}

type Features = Omit<ReturnType<typeof createCommands>, 'credentials' | 'sessions' | 'receipts' | 'saves'>;

const featureHandlers = (
  features: Features & Pick<MadeByPorts, 'runner' | 'store' | 'clock'>,
  handling: Handling,
) => ({
  ...agentLiveHandlers(features.agentLive, features.agentVideo, handling),
  ...apiKeyHandlers(features, features.clock, handling),
  ...webhookHandlers(features, features.clock, handling),
  ...webhookSendingHandlers(features.webhooks, handling),
  ...webhookReplayHandlers(features.webhooks, features.clock, handling),
  ...proxyHandlers(features.proxies, handling),
  ...profileHandlers(features.profiles, handling),
  ...transferHandlers(features.profiles, handling),
  ...snapshotHandlers(features.profiles, handling),
  ...settingsHandlers(features.settings, handling),
  ...teamHandlers(features.teams, features, handling),
  ...cardBillingHandlers(features.cards, handling),
  ...statusHandlers(features.subscribers, handling),
});

/** Exports under way: each takes the room of its file on the disk. */
const exportsAtOnce = { atOnce: 8, ofOneKey: 2 } as const;

/** All commands on one runner, so that they share its cache. */
function createCommands(options: WriteApiOptions, runner: Runner) {
  const { clock, peppers, profiles, sessionLimits: limits } = options;
  const ports = { ...options, runner, mails: options.rateLimits.mails };
  const { record: recordPosition } = options.positions;
  const emailUuid = (email: string) => keyedUuid(email, peppers.naming);
  const tokens = createOneTimeTokens(peppers);
  const proxies = createProxyCommands({ ...ports, ...options.proxies });
  const teams = createTeamCommands({ ...ports, ...options.teams, emailUuid, tokens, recordPosition });
  return {
    credentials: createCredentials({ ...ports, ...options.signIn, maxAgeMs: options.keyCacheMs }),
    people: createPeople(options, runner),
    agentLive: createAgentLive(ports),
    agentVideo: createAgentVideo(ports),
    sessions: createSessionCommands({ ...ports, pause: systemPause, proxies, limits }),
    apiKeys: createApiKeyCommands({
      ...{ ...ports, issueKey: issueApiKey, graceMs: options.keyGraceMs },
      hashKey: (text) => hashApiKey(text, peppers.newest),
    }),
    webhooks: createWebhookCommands({ ...ports, ...options.webhooks, newSecret: newWebhookSecret }),
    proxies,
    settings: {
      ...{ ...ports, ...options.settings },
      ownLlmKeys: createOwnLlmKeyCommands({ ...ports, ...options.settings }),
    },
    teams,
    cards: { ...options.cards, runner, clock },
    subscribers: createSubscriberCommands({ ...ports, vault: options.teams.vault, emailUuid, tokens }),
    profiles: createProfileCommands({ ...ports, ...profiles, roleOn: teams.role, recordPosition }),
    profileStates: createProfileStateCommands({
      ...{ ...ports, ...profiles, exporting: new UnderWay(exportsAtOnce) },
      newPassphrase: () => randomBase62(32),
    }),
    saves: createProfileSaves({ ...ports, ...profiles, limits }),
    receipts: {
      ...{ ...options.receipts, runner, clock },
      keyedDigests: (text: string) => byEach(peppers, (pepper) => keyedDigest(text, pepper)),
      beginsWithinMs: limits.slotLeaseMs + limits.profileWaitMs,
    },
  };
}
