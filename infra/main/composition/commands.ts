import { createAccountCommands } from '../../../commands/account/index.ts';
import { createErasure } from '../../../commands/account/erase.ts';
import { createAgentSessionUpkeep } from '../../../commands/agent-session/index.ts';
import { createApiKeyCommands } from '../../../commands/api-key/index.ts';
import { createOrderUpkeep } from '../../../commands/order/upkeep.ts';
import { createProxyCommands } from '../../../commands/proxy.ts';
import { createSessionCommands } from '../../../commands/session/index.ts';
import { archetypeCatalogue } from '../../../contracts/archetypes.ts';
import { hashApiKey, issueApiKey, keyedUuid } from '../../keys/index.ts';
import { systemPause } from '../../platform/clock.ts';
import type { DecisionPorts } from './ports.ts';
import { agentSettings, sessionLimits } from './settings.ts';

/** Commands shared by the write API, process managers, timers and staff. */
export function composeCommands(ports: DecisionPorts) {
  const { config } = ports;
  const sessions = createSessionCommands({
    ...ports,
    proxies: createProxyCommands(ports),
    pause: systemPause,
    archetypes: archetypeCatalogue,
    limits: sessionLimits(config),
  });
  return {
    sessions,
    ...composeStaffCommands(ports),
    agentSessions: createAgentSessionUpkeep({ ...ports, sessions, settings: agentSettings(config) }),
    orders: createOrderUpkeep(ports),
  };
}

export type Commands = ReturnType<typeof composeCommands>;

type StaffPorts = Pick<DecisionPorts, 'config' | 'clock' | 'runner' | 'vault' | 'peppers' | 'erased'>;

/** Commands on accounts and their keys. */
export const composeStaffCommands = (ports: StaffPorts) => ({
  accounts: createAccountCommands({ ...ports, seal: ports.vault.seal, emailUuid: emailUuidOn(ports) }),
  apiKeys: createApiKeyCommands({
    ...ports,
    issueKey: issueApiKey,
    hashKey: (text) => hashApiKey(text, ports.peppers.newest),
    graceMs: ports.config.KEY_GRACE,
  }),
  erasure: createErasure({ ...ports, ...ports.erased, emailUuid: emailUuidOn(ports) }),
});

/** The uuid of an address, derived with the pepper of streams' names. */
export const emailUuidOn =
  ({ peppers }: Pick<DecisionPorts, 'peppers'>) =>
  (email: string): string =>
    keyedUuid(email, peppers.naming);
