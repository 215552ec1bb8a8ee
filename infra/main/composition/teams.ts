import {
  endedInvitationsManager,
  teamInvitationsManager,
  teamRemovalsManager,
  type Processes,
} from '../../../commands/process-managers/index.ts';
import { createOneTimeTokens } from '../../keys/one-time-tokens.ts';
import type { Commands } from './commands.ts';
import { openConsoleLinks } from './links.ts';
import type { Ports } from './ports.ts';

/** Reactions to events of teams. */
export const teamProcesses = (ports: Ports, { apiKeys }: Pick<Commands, 'apiKeys'>): Processes => ({
  managers: [
    teamInvitationsManager({
      ...ports,
      tokens: createOneTimeTokens(ports.peppers),
      consoleLink: openConsoleLinks(ports.config),
    }),
    endedInvitationsManager(ports),
    teamRemovalsManager({ ...ports, apiKeys }),
  ],
  sweeps: [],
});
