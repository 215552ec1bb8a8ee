import type { AgentSession } from '../../contracts/resources/agent-session.ts';
import { Cache } from '../../infra/platform/cache.ts';
import { bindPorts } from '../engine/bind-ports.ts';
import type { Caller } from '../engine/context.ts';
import * as control from './control.ts';
import { create, describe, withdraw } from './create.ts';
import { find } from './find.ts';
import type { AgentSessionPorts } from './ports.ts';

export { heartbeatKey } from './ports.ts';
export { refundUnused, type RefundPorts } from './unused-spend.ts';
export { createAgentSessionUpkeep, type AgentSessionUpkeep } from './upkeep.ts';
export type { AgentSessionPorts, AgentSettings, OwnedAgentSession, UpkeepPorts } from './ports.ts';

/**
 * Customers' commands on agent sessions, except messages. Throws `Refusal`; a position is that of the agent session's last new
 * event, undefined if nothing changed.
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

/** The agent session as the answer to its creation shows it. */
async function withVideo(
  { videoFor }: AgentSessionPorts,
  caller: Caller,
  session: AgentSession,
): Promise<AgentSession> {
  const video = await videoFor(session, caller);
  return video === undefined ? session : { ...session, video };
}
