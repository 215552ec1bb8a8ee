import type { AgentLinks } from '../../commands/agent-session/links.ts';
import type { agentLinkRoutes } from '../../contracts/routes/agent-links.ts';
import { anyoneContext } from '../engine/authentication.ts';
import type { Handling, HandlersOf } from '../engine/handling.ts';

type LinkRoutes = (typeof agentLinkRoutes)[number]['id'];

/** Links to the live view of agent sessions. */
export function agentLinkHandlers(links: AgentLinks, handling: Handling): HandlersOf<LinkRoutes> {
  const onAgentSession = handling.answeringOn((caller, id) => links.find(caller, id));
  return {
    'agent-session-links.create': onAgentSession(async ({ caller, found, body }) => {
      const { link, position } = await links.create(caller, found, body);
      return { body: link, position };
    }),
    'agent-session-links.list': onAgentSession(async ({ found }) => ({
      body: { data: await links.list(found) },
    })),
    'agent-session-links.revoke': onAgentSession(async ({ caller, found, params }) =>
      links.revoke(caller, found, params.link_id),
    ),
    'agent-session-links.open': handling.answeringAnyone(async ({ body: { token }, request }) => ({
      body: await links.open(anyoneContext(request), token),
    })),
  };
}
