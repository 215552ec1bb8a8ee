import {
  teamErasuresManager,
  teamInvitationsManager,
  teamRemovalsManager,
  type ProcessManager,
} from '../../../commands/process-managers/index.ts';
import type { TeamPorts } from '../../../commands/team/index.ts';
import type { Config } from '../../config/index.ts';
import { createOneTimeTokens } from '../../keys/one-time-tokens.ts';
import type { Vault } from '../../vault/index.ts';
import { apiKeyCommandsOn } from './commands.ts';
import { openConsoleLinks } from './links.ts';
import { pepperInUse } from './secrets.ts';
import type { Ports } from './ports.ts';

/** What invitations are sealed with, and how long they are open. */
export const teamPorts = (config: Config, vault: Vault): Pick<TeamPorts, 'vault' | 'inviteTtlMs'> => ({
  vault,
  inviteTtlMs: config.INVITE_TTL,
});

/** What follows from the events of teams. */
export const teamManagers = ({ config, clock, runner, store, vault }: Ports): readonly ProcessManager[] => [
  teamInvitationsManager({
    ...{ runner, clock, vault },
    tokens: createOneTimeTokens(pepperInUse(config)),
    consoleLink: openConsoleLinks(config),
  }),
  teamErasuresManager({ runner, clock }),
  teamRemovalsManager({
    ...{ runner, clock, store, vault },
    apiKeys: apiKeyCommandsOn({ config, clock, runner }),
  }),
];
