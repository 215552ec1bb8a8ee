import type { AgentSession } from '../../contracts/resources/agent-session.ts';
import { Cache } from '../../infra/platform/cache.ts';
import { bindPorts } from '../engine/bind-ports.ts';
import * as control from './control.ts';
import { create, describe, withdraw } from './create.ts';
import { find } from './find.ts';
import type { AgentSessionPorts } from './ports.ts';

export { defaultAgentSettings, heartbeatKey } from './ports.ts';
export { createAgentSessionUpkeep, type AgentSessionUpkeep } from './upkeep.ts';
export type { AgentSessionPorts, AgentSettings, OwnedAgentSession, UpkeepPorts } from './ports.ts';

/**
 * What customers do with agent sessions beside talking to them. Refusals are thrown as `Refusal`; a position is that of the last
 * event of the agent session, and is undefined when nothing was left to do.
 */
export const createAgentSessionCommands = (ports: AgentSessionPorts) => {
  const { close, changeMode, takeOver, handBack, resume, sendInput, inputAgeMs } = control;
  const recentlyRead = new Cache<string, true>({ maxAgeMs: inputAgeMs });
  return bindPorts(
    { ...ports, recentlyRead },
    { find, create, describe, withdraw, close, changeMode, takeOver, handBack, resume, sendInput, withVideo },
  );
};

export type AgentSessionCommands = ReturnType<typeof createAgentSessionCommands>;

/** An agent session as the answer to its create shows it. */
async function withVideo({ videoFor }: AgentSessionPorts, session: AgentSession): Promise<AgentSession> {
  const video = await videoFor(session);
  return video === undefined ? session : { ...session, video };
}
