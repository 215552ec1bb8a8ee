import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId, uuidOf, type AccountId, type AgentSessionId } from '../../contracts/ids.ts';
import { agentSession } from '../../domain/agent-session/agent-session.ts';
import { exists } from '../../domain/agent-session/state.ts';
import { commands } from '../../domain/agent-session/testing.ts';
import type { Erasure } from '../account/erase.ts';
import { openMailWorld, type MailWorld } from '../process-managers/mail/testing.ts';
import { newContext } from '../session/testing.ts';

describe('the erasure of an account closes agent sessions', () => {
  let world: MailWorld;
  let erasure: Erasure;
  before(async () => {
    world = await openMailWorld();
    ({ erasure } = world.commands);
  });
  after(() => world.close());

  const made = async ({ accountId }: { readonly accountId: AccountId }) => {
    const agentSessionId = toId('agentSession', randomUUID());
    const at = world.clock.now().toISOString();
    const command = commands.CreateAgentSession({ agentSessionId, accountId, createdBy: accountId, at });
    await world.runner.run(agentSession, uuidOf(agentSessionId), command, newContext(accountId));
    return { agentSessionId, accountId };
  };
  const closedReason = async ({ agentSessionId }: { readonly agentSessionId: AgentSessionId }) => {
    const { state } = await world.runner.load(agentSession, uuidOf(agentSessionId));
    return exists(state) ? state.closedReason : undefined;
  };

  it('of the account, and of no other', async () => {
    const [erased, other] = [await world.newOwner(), await world.newOwner()];
    const [own, foreign] = [await made(erased), await made(other)];
    await erasure.erase(erased.accountId, newContext(null));
    expect([await closedReason(own), await closedReason(foreign)]).to.deep.equal(['account-erased', null]);
  });

  it('once, however often it is resumed', async () => {
    const erased = await world.newOwner();
    const own = await made(erased);
    await erasure.erase(erased.accountId, newContext(null));
    await erasure.carryOut(erased.accountId, newContext(null));
    expect(await closedReason(own)).to.equal('account-erased');
  });
});
