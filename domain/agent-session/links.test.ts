import { expect } from 'chai';
import type { AgentSessionEvent } from '../../contracts/events/agent-session.ts';
import { mostLinkUses, mostLinks } from '../../contracts/resources/link.ts';
import { toId } from '../../contracts/ids.ts';
import { deciderSpec } from '../testing/index.ts';
import { agentSession } from './agent-session.ts';
import { commands, events, existing, linkExpiresAt, linkId, otherLink, uuid } from './testing.ts';

const { given } = deciderSpec(agentSession);
const active = events.AgentSessionCreated();
const linked = [active, events.LinkCreated()] as const;
const stateAfter = (...history: readonly AgentSessionEvent[]) =>
  existing(history.reduce(agentSession.evolve, agentSession.initialState));

describe('a link to the live view of an agent session', () => {
  it('is made while the session is active', () => {
    given(active)
      .when(commands.CreateLink({ right: 'control' }))
      .then(events.LinkCreated({ right: 'control' }));
    given(active, events.AgentSessionPaused()).when(commands.CreateLink()).refused('conflict');
    given(active, events.AgentSessionClosed()).when(commands.CreateLink()).refused('conflict');
    given().when(commands.CreateLink()).refused('not-found');
  });
  it('keeps the API key that it was made with', () => {
    const apiKeyId = toId('apiKey', uuid(7));
    given(active).when(commands.CreateLink({ apiKeyId })).then(events.LinkCreated({ apiKeyId }));
    expect(stateAfter(active, events.LinkCreated({ apiKeyId })).links[0]).to.include({ apiKeyId });
    expect(stateAfter(...linked).links[0]).not.to.have.property('apiKeyId');
  });
  it('is made once', () => {
    given(...linked)
      .when(commands.CreateLink())
      .nothing();
  });
  it('is refused beyond the maximum of live ones', () => {
    const many = Array.from({ length: mostLinks }, (_, n) =>
      events.LinkCreated({ linkId: toId('link', uuid(100 + n)) }),
    );
    given(active, ...many)
      .when(commands.CreateLink())
      .refused('tier-limit', { limit: mostLinks });
    given(active, ...many, events.LinkRevoked({ linkId: toId('link', uuid(100)) }))
      .when(commands.CreateLink())
      .then(events.LinkCreated());
    given(active, ...many)
      .when(commands.CreateLink({ at: linkExpiresAt }))
      .then(events.LinkCreated({ at: linkExpiresAt }));
  });
  it('opens the view until it expires, and each time is counted', () => {
    const before = '2026-01-05T12:09:59.999Z';
    given(...linked)
      .when(commands.UseLink({ at: before }))
      .then(events.LinkUsed({ at: before }));
    given(...linked)
      .when(commands.UseLink({ at: linkExpiresAt }))
      .refused('invalid-auth-token');
    const [link] = stateAfter(...linked, events.LinkUsed(), events.LinkUsed({ at: before })).links;
    expect(link).to.include({ uses: 2, lastUsedAt: before });
  });
  it('opens it at most a fixed number of times', () => {
    const uses = Array.from({ length: mostLinkUses }, () => events.LinkUsed());
    given(...linked, ...uses)
      .when(commands.UseLink())
      .refused('invalid-auth-token');
  });
  it('opens it while the session is paused, and not once it was revoked or the session is closed', () => {
    given(...linked, events.AgentSessionPaused())
      .when(commands.UseLink())
      .then(events.LinkUsed());
    for (const end of [events.LinkRevoked(), events.AgentSessionClosed()])
      given(...linked, end)
        .when(commands.UseLink())
        .refused('invalid-auth-token');
    given(...linked)
      .when(commands.UseLink({ linkId: otherLink }))
      .refused('invalid-auth-token');
    given().when(commands.UseLink()).refused('invalid-auth-token');
  });
  it('is revoked once, and only if it exists', () => {
    given(...linked)
      .when(commands.RevokeLink())
      .then(events.LinkRevoked());
    given(...linked)
      .when(commands.RevokeLink({ linkId: otherLink }))
      .refused('not-found');
    given().when(commands.RevokeLink()).refused('not-found');
    expect(stateAfter(...linked, events.LinkRevoked()).links).to.deep.equal([]);
    expect(linkId).not.to.equal(otherLink);
  });
  it('changes nothing when it is revoked after its end, however it ended', () => {
    given(...linked, events.LinkRevoked())
      .when(commands.RevokeLink())
      .nothing();
    given(...linked)
      .when(commands.RevokeLink({ at: linkExpiresAt }))
      .nothing();
    given(...linked, events.LinkCreated({ linkId: otherLink, at: linkExpiresAt }))
      .when(commands.RevokeLink({ at: linkExpiresAt }))
      .nothing();
    given(...linked, events.AgentSessionClosed())
      .when(commands.RevokeLink())
      .nothing();
  });
  it('is remembered after its end, among the latest hundred', () => {
    const ended = (count: number) =>
      Array.from({ length: count }, (_, n) => toId('link', uuid(100 + n))).flatMap((id) => [
        events.LinkCreated({ linkId: id }),
        events.LinkRevoked({ linkId: id }),
      ]);
    given(...linked, events.LinkRevoked(), ...ended(99))
      .when(commands.RevokeLink())
      .nothing();
    given(...linked, events.LinkRevoked(), ...ended(100))
      .when(commands.RevokeLink())
      .refused('not-found');
    expect(stateAfter(active)).not.to.have.property('endedLinkIds');
  });
});
