import type { Pool } from 'pg';
import type { TurnOptions, TurnSettings } from '../../../commands/agent-session/turn/index.ts';
import type { OwnLlmKeyPorts } from '../../../commands/own-llm-key.ts';
import type { ProfileStatePorts } from '../../../commands/profile/states.ts';
import type { WebhookPorts } from '../../../commands/webhook-endpoint/index.ts';
import { countAccountEvents } from '../../../projections/queries/account-event.ts';
import { storedBytesOf } from '../../../projections/queries/profile.ts';
import type { AccessTokens } from '../../credentials/access-tokens.ts';
import {
  createAccountPositions,
  createDeprecatedUses,
  createKeyUses,
  type AccountPositions,
  type DeprecatedUses,
  type KeyUses,
} from '../../ephemeral/index.ts';
import type { EventStore } from '../../event-store/client/index.ts';
import type { Fleet, LiveFleet } from '../../fleet/control-plane/port.ts';
import type { NodeRegistry } from '../../fleet/control-plane/registry.ts';
import { createNodeVideos, type NodeVideos } from '../../fleet/control-plane/video.ts';
import { Tunnels } from '../../fleet/tunnel/tunnels.ts';
import { createAnthropicDecomposer } from '../../model/anthropic/decomposer.ts';
import { createKeyTrial } from '../../model/anthropic/key-trial.ts';
import type { AddressRules } from '../../outbound/address-rules.ts';
import { createPasswords, type Passwords } from '../../passwords/index.ts';
import type { CardProcessor } from '../../payments/card/types.ts';
import { FairTurns } from '../../platform/fair-turns.ts';
import { isOfOtherVersion } from '../../postgres/outage.ts';
import type { RateLimits } from '../../rate-limits/index.ts';
import { openRateLimits } from './http.ts';
import { openOutboundGuard, openWebhookTarget } from './outbound.ts';
import { openCardProcessor } from './payments.ts';
import { openPorts, type DecisionPorts, type Keys } from './ports.ts';
import { openProfileStates } from './profiles.ts';
import { turnSettings } from './settings.ts';
import { openPostgres } from './stores.ts';

/** Ports of the write API. A test may replace those that `openWritePorts` opens. */
export interface WritePorts extends DecisionPorts {
  readonly store: EventStore;
  readonly fleet: Fleet & LiveFleet;
  readonly registry: NodeRegistry;
  /** Those that nodes have opened to this process. */
  readonly tunnels: Tunnels;
  readonly tokens: AccessTokens;
  readonly passwords: Passwords;
  readonly rateLimits: Pick<
    RateLimits,
    'consume' | 'consumeOfAddress' | 'attempts' | 'signIns' | 'mails' | 'levels'
  >;
  readonly positions: Pick<AccountPositions, 'record'>;
  readonly keyUses: Pick<KeyUses, 'record'>;
  readonly deprecatedUses: Pick<DeprecatedUses, 'record'>;
  readonly videos: NodeVideos;
  readonly states: ProfileStatePorts['states'];
  readonly storedBytes: ProfileStatePorts['storedBytes'];
  readonly model: TurnOptions['model'];
  readonly turnSettings: TurnSettings;
  /** Tests a key with the model provider. */
  readonly tryKey: OwnLlmKeyPorts['tryKey'];
  /** The guard of addresses by their text; nodes check the resolved addresses. */
  readonly addresses: AddressRules;
  /** The rule for endpoints' addresses. */
  readonly target: WebhookPorts['target'];
  /** Counts a replay's deliveries in the read models. */
  readonly forecast: WebhookPorts['forecast'];
  /** Undefined unless its keys are configured. */
  readonly processor: CardProcessor | undefined;
}

/** Forecasts of replays that are counted at once, of all accounts and of one: each may read a feed of millions on one of the connections of all writes. */
const countedAtOnce = { total: 2, perKey: 1 };

function countingInTurn(pool: Pool): WritePorts['forecast'] {
  const turns = new FairTurns(countedAtOnce);
  return (accountId, range) => turns.hold(accountId, () => countAccountEvents(pool, accountId, range));
}

/** Nothing while the read model is of another version: a limit of storage is no reason to refuse every import meanwhile. */
const storedBytesIn =
  (pool: Pool): WritePorts['storedBytes'] =>
  (accountId) =>
    storedBytesOf(pool, accountId).catch((error: unknown) => {
      if (isOfOtherVersion(error)) return 0;
      throw error;
    });

/** Timeout of the name look-up at the registration of an endpoint, in ms. */
const patienceMs = 5000;

export async function openWritePorts(keys: Keys) {
  const tunnels = new Tunnels(keys);
  const ports = openPorts(keys, tunnels);
  const { config, clock, logger, pool, vault, registry } = ports;
  // Recordings are sequential, one statement at a time.
  const notes = openPostgres(ports, `${ports.name} notes`, { hasty: true, maxConnections: 1 });
  const guard = openOutboundGuard(config);
  const { states } = await openProfileStates(ports);
  return {
    ...ports,
    tunnels,
    states,
    passwords: createPasswords(),
    rateLimits: openRateLimits(ports),
    positions: createAccountPositions({ pool: notes.pool, logger }),
    keyUses: createKeyUses({ pool, clock, logger }),
    deprecatedUses: createDeprecatedUses({ pool, clock, logger }),
    videos: createNodeVideos({ pool, vault, liveMs: config.NODE_STALE_AFTER }),
    model: createAnthropicDecomposer({ guard, baseUrl: config.LLM_BASE_URL }),
    turnSettings: turnSettings(config),
    tryKey: createKeyTrial({ guard, baseUrl: config.LLM_BASE_URL }),
    addresses: guard,
    target: openWebhookTarget(config, registry.internal, { patienceMs }),
    forecast: countingInTurn(pool),
    storedBytes: storedBytesIn(pool),
    processor: openCardProcessor(ports),
  } satisfies WritePorts;
}
