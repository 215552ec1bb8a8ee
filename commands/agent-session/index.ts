import { bindPorts } from '../engine/bind-ports.ts';
import { create, describe, withdraw } from './create.ts';
import { find } from './find.ts';
import type { AgentSessionPorts } from './ports.ts';

export { defaultAgentSettings } from './ports.ts';
export type { AgentSessionPorts, AgentSettings, OwnedAgentSession, UpkeepPorts } from './ports.ts';

/**
 * What customers do with agent sessions beside talking to them. Refusals are thrown as `Refusal`; a position is that of the last
 * event of the agent session, and is undefined when nothing was left to do.
 */
export const createAgentSessionCommands = (ports: AgentSessionPorts) =>
  bindPorts(ports, { find, create, describe, withdraw });

export type AgentSessionCommands = ReturnType<typeof createAgentSessionCommands>;
