import { expect } from 'chai';
import fc from 'fast-check';
import { Refusal } from '../../contracts/problems.ts';
import type { SessionEvent } from '../../contracts/events/session.ts';
import { at, commands, events } from './examples.ts';
import { session, type Session, type SessionCommand } from './index.ts';

/** The contract's "Session status" table, with decision 5 for the moves out of creating. */
const moves: Record<Session['status'], readonly Session['status'][]> = {
  none: ['creating'],
  creating: ['ready', 'errored', 'destroyed'],
  ready: ['busy', 'errored', 'destroyed'],
  busy: ['ready', 'errored', 'destroyed'],
  destroyed: [],
  errored: [],
};

const time = fc.integer({ min: 0, max: 59 }).map((minute) => at(`12:${String(minute).padStart(2, '0')}:00`));
const dispatchId = fc.constantFrom('creation', 'first', 'second');
const epoch = fc.integer({ min: 1, max: 3 });
const command: fc.Arbitrary<SessionCommand> = fc
  .record({ type: fc.constantFrom(...typesOf(commands)), dispatchId, epoch, at: time })
  .map(({ type, ...fields }) => ({ ...commands[type](), ...fields }));
const event: fc.Arbitrary<SessionEvent> = fc
  .record({ type: fc.constantFrom(...typesOf(events)), dispatchId, epoch, at: time })
  .map(({ type, ...fields }) => {
    const usual = events[type]();
    return { type, data: { ...usual.data, ...fields } } as SessionEvent;
  });

describe('a session under any sequence of commands', () => {
  it('moves only as the contract’s table says, and one claim at a time', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), (sequence) => {
        let state = session.initialState;
        for (const each of sequence) {
          for (const decided of decideOrRefuse(each, state)) {
            const next = session.evolve(state, decided);
            if (next.status !== state.status) expect(moves[state.status]).to.include(next.status);
            if (decided.type === 'OperationClaimed') expect(state.status).to.equal('ready');
            state = next;
          }
        }
      }),
    );
  });

  it('replays to the same state', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), (sequence) => {
        const history: SessionEvent[] = [];
        let state = session.initialState;
        for (const each of sequence) {
          const decided = decideOrRefuse(each, state);
          history.push(...decided);
          state = decided.reduce(session.evolve, state);
        }
        const stored = JSON.parse(JSON.stringify(history)) as SessionEvent[];
        expect(stored.reduce(session.evolve, session.initialState)).to.deep.equal(state);
      }),
    );
  });

  it('never throws on any order of events, and never leaves an end', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (history) => {
        let state = session.initialState;
        for (const each of history) {
          const next = session.evolve(state, each);
          if (state.status === 'destroyed' || state.status === 'errored') expect(next).to.equal(state);
          state = next;
        }
      }),
    );
  });
});

function decideOrRefuse(each: SessionCommand, state: Session): readonly SessionEvent[] {
  try {
    return session.decide(each, state);
  } catch (error) {
    if (error instanceof Refusal) return [];
    throw error;
  }
}

function typesOf<Builders extends object>(builders: Builders): (keyof Builders)[] {
  return Object.keys(builders) as (keyof Builders)[];
}
