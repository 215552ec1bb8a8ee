import { expect } from 'chai';
import { deciderSpec } from '../testing/index.ts';
import { agentSession } from './agent-session.ts';
import { commands, events, existing, otherSession, resumeUntil, sessionId } from './testing.ts';

const { given } = deciderSpec(agentSession);
const created = events.AgentSessionCreated();
const attached = events.AgentSessionCreated({ attached: sessionId });
const spawned = [created, events.DriverSessionSpawned()] as const;
const ofStop = { endsBy: resumeUntil };
const later = '2026-01-05T12:20:00.000Z';

describe('the drain of the node of a browser', () => {
  it('is announced to the agent session that holds it, attached or spawned, with the time of the stop if there is one', () => {
    given(attached).when(commands.AnnounceDrain()).then(events.DrainAnnounced());
    given(...spawned)
      .when(commands.AnnounceDrain(ofStop))
      .then(events.DrainAnnounced(ofStop));
  });
  it('is announced once, however often it is reported, and whenever the stop is', () => {
    given(attached, events.DrainAnnounced()).when(commands.AnnounceDrain()).nothing();
    given(attached, events.DrainAnnounced(ofStop)).when(commands.AnnounceDrain()).nothing();
    given(attached, events.DrainAnnounced(ofStop))
      .when(commands.AnnounceDrain({ endsBy: later }))
      .nothing();
  });
  it('is announced again when the drained node is stopped, and its stop has a time', () => {
    given(attached, events.DrainAnnounced())
      .when(commands.AnnounceDrain(ofStop))
      .then(events.DrainAnnounced(ofStop));
  });
  it('is no concern of an agent session without this browser, or that is closed', () => {
    const { AnnounceDrain } = commands;
    given(created).when(AnnounceDrain()).nothing();
    given(attached)
      .when(AnnounceDrain({ sessionId: otherSession }))
      .nothing();
    given(attached, events.DriverSessionLost()).when(AnnounceDrain()).nothing();
    given(...spawned, events.DriverSessionLost())
      .when(AnnounceDrain())
      .nothing();
    given(attached, events.AgentSessionClosed()).when(AnnounceDrain()).nothing();
    given().when(AnnounceDrain()).nothing();
  });
  it('is announced anew for the next browser', () => {
    const next = events.DriverSessionSpawned({ sessionId: otherSession });
    const ofNext = { sessionId: otherSession };
    given(...spawned, events.DrainAnnounced(), events.DriverSessionLost(), next)
      .when(commands.AnnounceDrain(ofNext))
      .then(events.DrainAnnounced(ofNext));
  });
  it('leaves the browser, its controls and the turn as they are', () => {
    given(...spawned, events.TurnAdmitted())
      .when(commands.AnnounceDrain(ofStop))
      .leaves((state) => {
        const { turn, epoch, control, browser, entries } = existing(state);
        expect([turn?.epoch, epoch, control, entries]).to.deep.equal([1, 1, null, 1]);
        expect(browser).to.deep.include({ sessionId, ended: false, drain: ofStop });
      });
  });
});
