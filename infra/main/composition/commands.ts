import { setTimeout as delay } from 'node:timers/promises';
import { createAccountCommands } from '../../../commands/account/index.ts';
import { createErasure } from '../../../commands/account/erase.ts';
import { createApiKeyCommands } from '../../../commands/api-key/index.ts';
import { createProxyCommands, type ProxyPorts } from '../../../commands/proxy.ts';
import { createSessionCommands, type SessionLimits } from '../../../commands/session/index.ts';
import { archetypeCatalogue } from '../../../contracts/archetypes.ts';
import { agentSessionsOfErased } from '../../../projections/queries/agent-session.ts';
import { profilesOfErased } from '../../../projections/queries/profile.ts';
import { seatsOfErased } from '../../../projections/queries/team.ts';
import type { Config } from '../../config/index.ts';
import type { NodeRegistry } from '../../fleet/control-plane/registry.ts';
import { createKeyTrial } from '../../model/anthropic/key-trial.ts';
import { hashApiKey, issueApiKey, keyedUuid, type Peppers } from '../../keys/index.ts';
import { createProxyProbe } from '../../outbound/proxy-probe.ts';
import { createPasswords } from '../../passwords/index.ts';
import { systemPause } from '../../platform/clock.ts';
import type { Vault } from '../../vault/index.ts';
import { pepperInUse } from './secrets.ts';
import { agentUpkeepOn } from './agents.ts';
import { orderUpkeepOn } from './orders.ts';
import { openOutboundGuard } from './outbound.ts';
import type { Ports } from './ports.ts';

type Deciding = Pick<Ports, 'clock' | 'runner' | 'vault'> & { readonly peppers: Pick<Peppers, 'naming'> };

export const accountCommandsOn = ({ clock, runner, vault, peppers }: Deciding) =>
  createAccountCommands({
    runner,
    clock,
    seal: (accountId, field, text) => vault.seal(accountId, field, text),
    emailUuid: (email) => keyedUuid(email, peppers.naming),
  });

export const erasureOn = ({ clock, runner, vault, peppers, pool }: Deciding & Pick<Ports, 'pool'>) =>
  createErasure({
    runner,
    clock,
    vault,
    emailUuid: (email) => keyedUuid(email, peppers.naming),
    seatsOf: (accountId) => onceErased(() => seatsOfErased(pool, accountId)),
    profilesOf: (accountId) => onceErased(() => profilesOfErased(pool, accountId)),
    agentSessionsOf: (accountId) => onceErased(() => agentSessionsOfErased(pool, accountId)),
  });

/** How long an erasure waits for the read models to come to it; milliseconds. They are usually there before it asks. */
const erasureWaitMs = 5000;

/** What the read models say of an account once they have come to its erasure. */
async function onceErased<Found>(find: () => Promise<Found | undefined>): Promise<Found> {
  const giveUpAt = performance.now() + erasureWaitMs;
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    if (performance.now() >= giveUpAt)
      throw new Error(
        'The read models are behind. Its memberships, profiles and agent sessions end when they have caught up.',
      );
    await delay(20);
  }
}

export function apiKeyCommandsOn({ config, clock, runner }: Pick<Ports, 'config' | 'clock' | 'runner'>) {
  const { newest } = pepperInUse(config);
  return createApiKeyCommands({
    runner,
    clock,
    issueKey: issueApiKey,
    hashKey: (text) => hashApiKey(text, newest),
    graceMs: config.KEY_GRACE,
  });
}

export const sessionCommandsOn = ({ config, clock, logger, runner, vault, registry, fleet }: Ports) =>
  createSessionCommands({
    runner,
    fleet,
    clock,
    pause: systemPause,
    proxies: createProxyCommands({ ...proxyPorts(config, vault, registry), runner, clock }),
    archetypes: archetypeCatalogue,
    limits: sessionLimits(config),
    logger,
  });

export type Commands = ReturnType<typeof composeCommands>;

/** What is decided without a client that waits for it: by process managers, timers and staff. */
export function composeCommands(ports: Ports) {
  const sessions = sessionCommandsOn(ports);
  const accounts = accountCommandsOn(ports);
  const apiKeys = apiKeyCommandsOn(ports);
  const erasure = erasureOn(ports);
  return {
    ...{ sessions, accounts, apiKeys, erasure },
    agentSessions: agentUpkeepOn(ports, sessions),
    orders: orderUpkeepOn(ports),
    isStopped: accounts.isStopped,
    carryOutErasure: erasure.carryOut,
    ensureSuccessor: apiKeys.ensureSuccessor,
  };
}

export const sessionLimits = (config: Config): SessionLimits => ({
  slotLeaseMs: config.SLOT_LEASE,
  creationDeadlineMs: config.CREATION_DEADLINE,
  creationLeaseMs: config.CREATION_LEASE,
  operationTimeoutMs: config.OPERATION_TIMEOUT,
  silenceGraceMs: config.OPERATION_TIMEOUT_GRACE,
  freeSessionMs: config.FREE_SESSION_LIMIT,
  saveLeaseMs: config.SAVE_LEASE,
  profileWaitMs: config.PROFILE_WAIT,
});

/** What people sign up and in with, and what web sessions are opened, refreshed and judged with. */
export const signInPorts = ({ config, vault, tokens }: Ports) => ({
  vault,
  tokens,
  refreshMs: config.REFRESH_TTL,
  freshMs: config.STEP_UP_FRESH,
  passwords: createPasswords(),
  lifetimesMs: linkLifetimes(config),
  termsRevision: config.TERMS_REVISION,
});

/** How long the links of mails work, milliseconds. */
export const linkLifetimes = (config: Config) => ({
  verification: config.VERIFICATION_TTL,
  magic_link: config.MAGIC_LINK_TTL,
  password_reset: config.PASSWORD_RESET_TTL,
  merge: config.MERGE_TTL,
});

/** What saved proxies are unsealed and tried with. */
export const proxyPorts = (
  config: Config,
  vault: Vault,
  { internal }: NodeRegistry,
): Pick<ProxyPorts, 'vault' | 'probe'> => ({
  vault,
  probe: createProxyProbe({
    guard: openOutboundGuard(config, internal),
    checkUrl: config.PROXY_CHECK_URL ?? `${config.BASE_URL}/v1/archetypes`,
  }),
});

/** What the settings of accounts work with. */
export const settingsPorts = (config: Config, vault: Vault) => ({
  vault,
  tryKey: createKeyTrial({ guard: openOutboundGuard(config), baseUrl: config.LLM_BASE_URL }),
  reminderMs: config.BYOK_REMINDER,
  defaultCapCents: config.BUNDLED_LLM_CAP,
});
