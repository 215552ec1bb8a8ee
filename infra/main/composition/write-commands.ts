import { acceptTerms } from '../../../commands/account/accept-terms.ts';
import { createAgentSessionCommands } from '../../../commands/agent-session/index.ts';
import { createAgentLinks } from '../../../commands/agent-session/links.ts';
import { createAgentLive } from '../../../commands/agent-session/live.ts';
import { createAgentRooms } from '../../../commands/agent-session/room.ts';
import { createTurns } from '../../../commands/agent-session/turn/index.ts';
import { createPersonStarts } from '../../../commands/agent-session/start-for-person.ts';
import { createAgentVideo } from '../../../commands/agent-session/video.ts';
import type { HolderPorts } from '../../../commands/agent-session/video-holder.ts';
import { createCardBilling } from '../../../commands/card-billing/index.ts';
import { createCredentials } from '../../../commands/credentials/index.ts';
import { createDeviceGrantCommands } from '../../../commands/device-grant/index.ts';
import { createLoginCommands } from '../../../commands/login/index.ts';
import { createNodeCommands } from '../../../commands/node/index.ts';
import { createOwnLlmKeyCommands } from '../../../commands/own-llm-key.ts';
import { longestAbout } from '../../../commands/profile/export-file.ts';
import { createProfileCommands } from '../../../commands/profile/index.ts';
import { createProfileSaves } from '../../../commands/profile/saves.ts';
import { createProfileStateCommands } from '../../../commands/profile/states.ts';
import { createNounCommands, type NounCommands } from '../../../commands/records.ts';
import { createSecondFactorCommands } from '../../../commands/second-factor/index.ts';
import type { SessionCommands } from '../../../commands/session/index.ts';
import { createSubscriberCommands } from '../../../commands/status/subscribers.ts';
import { createTeamCommands } from '../../../commands/team/index.ts';
import { createWebSessionCommands } from '../../../commands/web-session/index.ts';
import { createWebhookCommands } from '../../../commands/webhook-endpoint/index.ts';
import { archetypeCatalogue as archetypes } from '../../../contracts/archetypes.ts';
import { largestState } from '../../../contracts/profile-state.ts';
import type { WriteCommands } from '../../../write-api/commands.ts';
import { assertSound } from '../../../write-api/session/session-operation-bodies.ts';
import { randomBase62 } from '../../keys/base62.ts';
import { byEach, keyedDigest } from '../../keys/index.ts';
import { newNoiseSeed } from '../../keys/noise-seed.ts';
import { createOneTimeTokens } from '../../keys/one-time-tokens.ts';
import { grammar } from '../../model/grammar/grammar.ts';
import { systemPause } from '../../platform/clock.ts';
import { ConcurrencyLimiter } from '../../platform/concurrency-limiter.ts';
import { newWebhookSecret } from '../../webhooks/signature.ts';
import { composeCommands, emailUuidOn } from './commands.ts';
import { spoolDirectory } from './profiles.ts';
import { agentSettings, linkLifetimes, sessionLimits, webhookLimits } from './settings.ts';
import type { WritePorts } from './write-ports.ts';

/** All commands of the write API's routes. */
export function composeWriteCommands(ports: WritePorts): WriteCommands {
  const { config, clock, runner, store, vault } = ports;
  const { sessions, apiKeys } = composeCommands(ports);
  const mailing = { ...ports, mails: ports.rateLimits.mails, emailUuid: emailUuidOn(ports) };
  const { record: recordPosition } = ports.positions;
  const tokens = createOneTimeTokens(ports.peppers);
  const teams = createTeamCommands({
    ...{ ...mailing, tokens, recordPosition },
    inviteTtlMs: config.INVITE_TTL,
  });
  const nouns = createNounCommands({ ...ports, archetypes, roleOn: teams.role });
  return {
    ...{ clock, runner, store, vault, sessions, apiKeys, teams },
    ...nouns,
    ...signInCommands(ports),
    ...agentCommands({ ...ports, roleOn: teams.role }, sessions, nouns),
    ...profileCommands(ports, teams.role),
    ...billingCommands(ports),
    nodes: createNodeCommands(ports),
    webhooks: createWebhookCommands({
      ...ports,
      newSecret: newWebhookSecret,
      limits: webhookLimits(config),
    }),
    settings: {
      ...{ runner, clock, vault, defaultCapCents: config.BUNDLED_LLM_CAP },
      ownLlmKeys: createOwnLlmKeyCommands({ ...ports, reminderMs: config.BYOK_REMINDER }),
    },
    subscribers: createSubscriberCommands({ ...mailing, tokens }),
    receipts: {
      ...{ runner, clock, vault, retentionMs: config.IDEMPOTENCY_RETENTION },
      keyedDigests: keyedDigestsOn(ports),
      beginsWithinMs: config.SLOT_LEASE + config.PROFILE_WAIT,
    },
  };
}

const keyedDigestsOn =
  ({ peppers }: Pick<WritePorts, 'peppers'>) =>
  (text: string) =>
    byEach(peppers, (pepper) => keyedDigest(text, pepper));

/** Payments by card, and with crypto. */
const billingCommands = ({ config, clock, runner, processor, payments }: WritePorts) => ({
  cards: createCardBilling({ runner, clock, processor }),
  orders: {
    ...{ runner, clock, payments },
    ipnSecret: config.CRYPTO_IPN_SECRET,
    products: config.CRYPTO_PRODUCTS,
    windowMs: config.CRYPTO_WINDOW,
    sweepAfterMs: config.CRYPTO_SWEEP_AFTER,
  },
});

/** Sign-up, sign-in, and validation of credentials. */
function signInCommands(ports: WritePorts) {
  const { config, rateLimits, vault } = ports;
  const sessions = { ...ports, refreshMs: config.REFRESH_TTL, freshMs: config.STEP_UP_FRESH };
  const terms = { termsRevision: config.TERMS_REVISION };
  const webSessions = createWebSessionCommands(sessions);
  const secondFactor = createSecondFactorCommands({ ...ports, webSessions });
  const logins = createLoginCommands({
    ...{ ...ports, ...terms, webSessions },
    seal: vault.seal,
    emailUuid: emailUuidOn(ports),
    oneTimeTokens: createOneTimeTokens(ports.peppers),
    lifetimesMs: linkLifetimes(config),
    delays: rateLimits.signIns,
    mails: rateLimits.mails,
    secondFactors: secondFactor,
  });
  return {
    ...{ webSessions, secondFactor, logins },
    credentials: createCredentials({ ...sessions, ...terms, maxAgeMs: config.KEY_CACHE_TTL }),
    deviceGrants: createDeviceGrantCommands({
      ...{ ...ports, webSessions },
      ttlMs: config.DEVICE_CODE_TTL,
      epochOf: logins.currentEpoch,
    }),
    acceptTerms: acceptTerms.bind(null, ports),
  };
}

function agentCommands(
  ports: WritePorts & Pick<HolderPorts, 'roleOn'>,
  sessions: SessionCommands,
  { proxies }: NounCommands,
) {
  const { config, addresses } = ports;
  const settings = agentSettings(config);
  const starts = createPersonStarts({ ...ports, sessions, settings, pause: systemPause });
  const agentVideo = createAgentVideo({ ...ports, starts });
  return {
    agentVideo,
    agentLive: createAgentLive(ports),
    agentLinks: createAgentLinks({
      ...{ ...ports, tokens: createOneTimeTokens(ports.peppers) },
      videoForLink: agentVideo.videoForLink,
    }),
    agentRooms: createAgentRooms({ ...ports, settings }),
    agentSessions: createAgentSessionCommands({
      ...{ ...ports, sessions, proxies, settings },
      videoFor: agentVideo.videoFor,
    }),
    turns: createTurns({
      ...{ ...ports, sessions, grammar, pause: systemPause, keyedDigests: keyedDigestsOn(ports) },
      settings: { ...settings, ...ports.turnSettings },
      assertSound: (operation, body) => assertSound(operation, body, addresses),
    }),
  };
}

/** Limits of exports whose files are being written, and of the bytes of files until they are read. */
const exportsAtOnce = { total: 8, perKey: 2 } as const;
const exportedBytes = { total: 16 * largestState, perKey: 2 * (largestState + longestAbout) } as const;
/** Limits of concurrent trims, which open and pack a state. */
const trimsAtOnce = { total: 4, perKey: 1 } as const;

function profileCommands(ports: WritePorts, roleOn: WriteCommands['teams']['role']) {
  const { config } = ports;
  const { record: recordPosition } = ports.positions;
  const made = { ...ports, archetypes, newNoiseSeed };
  return {
    profiles: createProfileCommands({
      ...{ ...made, roleOn, recordPosition },
      retentionMs: config.PROFILE_RETENTION,
    }),
    profileStates: createProfileStateCommands({
      ...made,
      spoolDirectory: spoolDirectory(config),
      exports: new ConcurrencyLimiter(exportsAtOnce),
      exportedBytes: new ConcurrencyLimiter(exportedBytes),
      trims: new ConcurrencyLimiter(trimsAtOnce),
      newPassphrase: () => randomBase62(32),
    }),
    saves: createProfileSaves({ ...ports, limits: sessionLimits(config) }),
  };
}
