import { expect } from 'chai';
import { deciderSpec } from '../testing/index.ts';
import { agentSession } from './agent-session.ts';
import {
  accountId,
  agentSessionId,
  at,
  challengeId,
  commands,
  events,
  existing,
  failure,
  otherSession,
  resumeUntil,
  sessionId,
} from './testing.ts';

const { given } = deciderSpec(agentSession);
const created = events.AgentSessionCreated();
const attached = events.AgentSessionCreated({ attached: sessionId });
const paused = [attached, events.AgentSessionPaused()] as const;
const closed = [created, events.AgentSessionClosed()] as const;

describe('an agent session that is created', () => {
  it('is active, with the whole of its budget and no entry', () => {
    given()
      .when(commands.CreateAgentSession({ mode: 'manual' }))
      .leaves((state) => {
        const { status, tokensUsed, entries, mode, pair } = existing(state);
        expect([status, tokensUsed, entries, mode, pair]).to.deep.equal(['active', 0, 0, 'manual', null]);
      });
  });
  it('is driven by the agent where its mode is pair', () => {
    given()
      .when(commands.CreateAgentSession({ mode: 'pair' }))
      .leaves((state) => {
        expect(existing(state).pair).to.deep.equal({ kind: 'ai-driving', clientId: null, since: at });
      });
  });
  it('is created once', () => {
    given(created).when(commands.CreateAgentSession()).nothing();
  });
  it('can no longer be created once it is withdrawn', () => {
    given(events.AgentSessionWithdrawn()).when(commands.CreateAgentSession()).refused('conflict');
  });
  it('is withdrawn only before it is created', () => {
    given().when(commands.WithdrawAgentSession()).then(events.AgentSessionWithdrawn());
    given(created).when(commands.WithdrawAgentSession()).nothing();
    given(events.AgentSessionWithdrawn()).when(commands.WithdrawAgentSession()).nothing();
  });
});

describe('the mode of an agent session', () => {
  for (const [from, mode] of [
    ['ai', 'manual'],
    ['ai', 'pair'],
    ['manual', 'ai'],
    ['manual', 'pair'],
    ['pair', 'ai'],
    ['pair', 'manual'],
  ] as const) {
    it(`moves from ${from} to ${mode}`, () => {
      given(events.AgentSessionCreated({ mode: from }))
        .when(commands.ChangeMode({ mode }))
        .then(events.ModeChanged({ from, mode, epoch: 2 }));
    });
  }
  it('does not change if it is the present one, and makes no event', () => {
    given(created)
      .when(commands.ChangeMode({ mode: 'ai' }))
      .nothing();
  });
  it('starts pair mode with the agent driving, and leaves no state of it at its end', () => {
    const toPair = events.ModeChanged({ from: 'ai', mode: 'pair' });
    const takenOver = events.TakeoverRequested({ epoch: 3 });
    given(created, toPair, takenOver)
      .when(commands.ChangeMode({ mode: 'ai' }))
      .leaves((state) => expect(existing(state).pair).to.equal(null));
    given(created, toPair, takenOver, events.ModeChanged({ from: 'pair', mode: 'ai', epoch: 4 }))
      .when(commands.ChangeMode({ mode: 'pair' }))
      .leaves((state) => expect(existing(state).pair?.kind).to.equal('ai-driving'));
  });
  it('is changed only while the session is active', () => {
    given(...paused)
      .when(commands.ChangeMode())
      .refused('conflict');
    given(...closed)
      .when(commands.ChangeMode())
      .refused('conflict');
    given().when(commands.ChangeMode()).refused('not-found');
  });
});

describe('an agent session whose browser meets a challenge', () => {
  it('is paused', () => {
    given(attached).when(commands.Pause()).then(events.AgentSessionPaused());
    given(created, events.DriverSessionSpawned()).when(commands.Pause()).then(events.AgentSessionPaused());
  });
  it('is paused once for each challenge, however often that is reported', () => {
    given(...paused)
      .when(commands.Pause())
      .nothing();
    given(...paused, events.AgentSessionResumed())
      .when(commands.Pause())
      .nothing();
  });
  it('is paused for the second one when there are two', () => {
    given(...paused)
      .when(commands.Pause({ challengeId: 'chl_2' }))
      .then(events.AgentSessionPaused({ challengeId: 'chl_2', epoch: 3 }));
  });
  it('ignores challenges of other browsers, and all once it is closed', () => {
    given(attached)
      .when(commands.Pause({ sessionId: otherSession }))
      .nothing();
    given(created).when(commands.Pause()).nothing();
    given(attached, events.AgentSessionClosed()).when(commands.Pause()).nothing();
  });
});

describe('a paused agent session', () => {
  const resuming = [...paused, events.ResumeRequested()] as const;

  it('stays paused when its resume is requested', () => {
    given(...paused)
      .when(commands.RequestResume())
      .then(events.ResumeRequested());
    given(...paused)
      .when(commands.RequestResume({ challengeId }))
      .leaves((state) => expect(state.status).to.equal('paused'));
  });
  it('refuses a resume for another challenge', () => {
    given(...paused)
      .when(commands.RequestResume({ challengeId: 'chl_2' }))
      .refused('conflict');
  });
  it('refuses a resume when it is not paused', () => {
    given(attached).when(commands.RequestResume()).refused('conflict');
    given(...closed)
      .when(commands.RequestResume())
      .refused('conflict');
    given().when(commands.RequestResume()).refused('not-found');
  });
  it('is polled for longer when its resume is requested again', () => {
    const expiresAt = '2026-01-05T12:11:00.000Z';
    given(...resuming)
      .when(commands.RequestResume({ expiresAt }))
      .then(events.ResumeRequested({ expiresAt }));
    given(...resuming)
      .when(commands.RequestResume())
      .nothing();
  });
  it('is active once the challenge is gone', () => {
    given(...resuming)
      .when(commands.Resume())
      .then(events.AgentSessionResumed());
    given(...resuming)
      .when(commands.Resume({ challengeId: 'chl_2' }))
      .nothing();
    given(attached).when(commands.Resume()).nothing();
  });
  it('stays paused when the challenge is not gone in time', () => {
    given(...resuming)
      .when(commands.ExpireResume())
      .then(events.ResumeExpired({ at: resumeUntil }));
    given(...resuming)
      .when(commands.ExpireResume({ at }))
      .nothing();
    given(...paused)
      .when(commands.ExpireResume())
      .nothing();
    given(...resuming, events.ResumeExpired())
      .when(commands.ExpireResume())
      .nothing();
  });
  it('is not resumed for an earlier challenge', () => {
    const second = events.AgentSessionPaused({ challengeId: 'chl_2', epoch: 3 });
    given(...resuming, second)
      .when(commands.Resume())
      .nothing();
    given(...resuming, second)
      .when(commands.ExpireResume())
      .nothing();
  });
});

describe('an agent session that is closed', () => {
  it('is closed from active and from paused, and once', () => {
    given(created).when(commands.Close()).then(events.AgentSessionClosed());
    given(...paused)
      .when(commands.Close())
      .then(events.AgentSessionClosed({ epoch: 3 }));
    given(...closed)
      .when(commands.Close())
      .nothing();
    given().when(commands.Close()).refused('not-found');
    given(events.AgentSessionWithdrawn()).when(commands.Close()).refused('not-found');
  });
  it('says when and why', () => {
    given(created)
      .when(commands.Close({ reason: 'customer-closed' }))
      .leaves((state) => {
        const { status, closedAt, closedReason } = existing(state);
        expect([status, closedAt, closedReason]).to.deep.equal(['closed', at, 'customer-closed']);
      });
  });
});

describe('the driver session of an agent session', () => {
  const spawned = [created, events.DriverSessionSpawned()] as const;
  const manual = events.AgentSessionCreated({ mode: 'manual', opensInitialUrl: true });
  const { turnId: _, ...forPerson } = events.DriverSessionSpawned().data;
  const started = { type: 'DriverSessionSpawned', data: forPerson } as const;

  it('is started for a person who may drive, one at a time', () => {
    given(manual).when(commands.StartDriverSession()).then(started);
    given(events.AgentSessionCreated({ mode: 'pair' }))
      .when(commands.StartDriverSession())
      .then(started);
    given(manual, started)
      .when(commands.StartDriverSession({ sessionId: otherSession }))
      .nothing();
    given(manual, started, events.DriverSessionLost())
      .when(commands.StartDriverSession({ sessionId: otherSession }))
      .then({ ...started, data: { ...forPerson, sessionId: otherSession } });
    given(created).when(commands.StartDriverSession()).refused('conflict');
    given(manual, events.AgentSessionClosed()).when(commands.StartDriverSession()).refused('conflict');
  });
  it('opens the initial address for a person once, and only in this one', () => {
    const opened = { type: 'InitialUrlOpened', data: forPerson } as const;
    given(manual, started).when(commands.StartAtInitialUrl()).then(opened);
    given(manual, started, opened).when(commands.StartAtInitialUrl()).nothing();
    given(manual, started)
      .when(commands.StartAtInitialUrl({ sessionId: otherSession }))
      .nothing();
  });

  it('is lost when it ends, and the next turn starts another one', () => {
    given(...spawned)
      .when(commands.LoseDriverSession())
      .then(events.DriverSessionLost());
    given(...spawned)
      .when(commands.LoseDriverSession())
      .leaves((state) => expect(existing(state).browser).to.equal(null));
  });
  it('is still named if it was attached, so that no other replaces it unasked', () => {
    given(attached)
      .when(commands.LoseDriverSession())
      .leaves((state) =>
        expect(existing(state).browser).to.deep.equal({ sessionId, origin: 'attached', ended: true }),
      );
  });
  it('is lost once, and only if it is the present one', () => {
    given(attached, events.DriverSessionLost()).when(commands.LoseDriverSession()).nothing();
    given(...spawned)
      .when(commands.LoseDriverSession({ sessionId: otherSession }))
      .nothing();
    given(created).when(commands.LoseDriverSession()).nothing();
  });
  it('leaves an error if its end was a failure', () => {
    given(...spawned)
      .when(commands.LoseDriverSession({ failure }))
      .then(events.DriverSessionLost(), events.ErrorRaised());
  });
  it('remains named by a closed agent session', () => {
    given(...spawned, events.AgentSessionClosed())
      .when(commands.LoseDriverSession())
      .nothing();
  });
});

describe('an agent session outside of turns', () => {
  it('records what a client did to the browser', () => {
    given(created)
      .when(commands.RecordBrowserChange({ change: 'file_uploaded' }))
      .then(events.BrowserChanged({ change: 'file_uploaded' }));
  });
  it('shows the latest failure, which does not close it', () => {
    given(created, events.ErrorRaised({ code: 'before' }))
      .when(commands.RaiseError({ code: 'now' }))
      .leaves((state) => {
        const { error, status } = existing(state);
        expect([error?.code, status]).to.deep.equal(['now', 'active']);
      });
    given(...closed)
      .when(commands.RaiseError())
      .nothing();
  });
  it('keeps its owner', () => {
    given(created)
      .when(commands.Close())
      .leaves((state) => {
        const { agentSessionId: id, accountId: owner, createdBy } = existing(state);
        expect([id, owner, createdBy]).to.deep.equal([agentSessionId, accountId, accountId]);
      });
  });
});
