import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { createAccountCommands } from '../../../commands/account/index.ts';
import { createErasure } from '../../../commands/account/erase.ts';
import { createApiKeyCommands } from '../../../commands/api-key/index.ts';
import type { Runner } from '../../../commands/engine/runner.ts';
import { createProxyCommands, type ProxyPorts } from '../../../commands/proxy.ts';
import { createSessionCommands, type SessionLimits } from '../../../commands/session/index.ts';
import { archetypeCatalogue } from '../../../contracts/archetypes.ts';
import { agentSessionsOfErased } from '../../../projections/queries/agent-session.ts';
import { profilesOfErased } from '../../../projections/queries/profile.ts';
import { seatsOfErased } from '../../../projections/queries/team.ts';
import type { Config } from '../../config/index.ts';
import { createFleet } from '../../fleet/control-plane/client.ts';
import type { NodeRegistry } from '../../fleet/control-plane/registry.ts';
import { createKeyTrial } from '../../model/anthropic/key-trial.ts';
import { hashApiKey, issueApiKey, keyedUuid, type Peppers } from '../../keys/index.ts';
import { createProxyProbe } from '../../outbound/proxy-probe.ts';
import { createPasswords } from '../../passwords/index.ts';
import { systemPause, type Clock } from '../../platform/clock.ts';
import type { Vault } from '../../vault/index.ts';
import type { RoleContext } from '../roles/role.ts';
import { pepperInUse } from './secrets.ts';
import { openAccessTokens } from './stores.ts';
import { openOutboundGuard } from './outbound.ts';

interface Deciding {
  readonly clock: Clock;
  readonly runner: Runner;
  readonly vault: Vault;
}

export const accountCommandsOn = ({ clock, runner, vault }: Deciding, { naming }: Pick<Peppers, 'naming'>) =>
  createAccountCommands({
    runner,
    clock,
    seal: (accountId, field, text) => vault.seal(accountId, field, text),
    emailUuid: (email) => keyedUuid(email, naming),
  });

export const erasureOn = (
  { clock, runner, vault }: Deciding,
  pool: pg.Pool,
  { naming }: Pick<Peppers, 'naming'>,
) =>
  createErasure({
    runner,
    clock,
    vault,
    emailUuid: (email) => keyedUuid(email, naming),
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

export function apiKeyCommandsOn({ config, clock, runner }: Omit<Deciding, 'vault'> & { config: Config }) {
  const { newest } = pepperInUse(config);
  return createApiKeyCommands({
    runner,
    clock,
    issueKey: issueApiKey,
    hashKey: (text) => hashApiKey(text, newest),
    graceMs: config.KEY_GRACE,
  });
}

export function openFleet({ config, clock, logger, lifetime }: RoleContext, registry: NodeRegistry) {
  const fleet = createFleet({ registry, clock, logger, liveMs: config.NODE_STALE_AFTER });
  lifetime.defer('fleet', () => fleet.close());
  return fleet;
}

/** The commands of sessions, and the fleet that they reach browsers by. */
export function sessionCommandsOn(
  context: RoleContext,
  { runner, vault, registry }: Omit<Deciding, 'clock'> & { readonly registry: NodeRegistry },
) {
  const { config, clock, logger } = context;
  const fleet = openFleet(context, registry);
  const sessions = createSessionCommands({
    runner,
    fleet,
    clock,
    pause: systemPause,
    proxies: createProxyCommands({ ...proxyPorts(config, vault, registry), runner, clock }),
    archetypes: archetypeCatalogue,
    limits: sessionLimits(config),
    logger,
  });
  return { sessions, fleet };
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
export const signInPorts = (config: Config, clock: Clock, pool: pg.Pool, vault: Vault) => ({
  vault,
  tokens: openAccessTokens(config, clock, pool),
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
