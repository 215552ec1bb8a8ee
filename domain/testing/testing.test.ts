import { AssertionError } from 'node:assert';
import { expect } from 'chai';
import { commandBuilders, deciderSpec, eventBuilders, projectionSpec, reactionSpec } from 'service/testing';
import { category, type EventOf } from '../../contracts/events/catalogue.ts';
import { refuse } from '../../contracts/problems.ts';
import { Type, closed } from '../../contracts/schema.ts';
import type { Decider } from '../kit/decider.ts';

const doorEvents = category('door', {
  DoorOpened: closed({ by: Type.String() }),
  DoorClosed: closed({}),
});
type DoorEvent = EventOf<typeof doorEvents>;
type DoorCommand = { type: 'OpenDoor'; by: string } | { type: 'CloseDoor' };

const door: Decider<'open' | 'closed', DoorCommand, DoorEvent> = {
  category: doorEvents,
  initialState: 'closed',
  decide: (command, state) => {
    if (command.type === 'CloseDoor') return state === 'open' ? [{ type: 'DoorClosed', data: {} }] : [];
    if (state === 'open') throw refuse('conflict', 'It is open.', { state });
    return [{ type: 'DoorOpened', data: { by: command.by } }];
  },
  evolve: (_state, event) => (event.type === 'DoorOpened' ? 'open' : 'closed'),
};
const { DoorOpened, DoorClosed } = eventBuilders<DoorEvent>({ DoorOpened: { by: 'ann' }, DoorClosed: {} });
const { OpenDoor, CloseDoor } = commandBuilders<DoorCommand>({ OpenDoor: { by: 'ann' }, CloseDoor: {} });

describe('the given/when/then kit', () => {
  const { given } = deciderSpec(door);

  it('compares decided events with the expected ones', () => {
    given(DoorOpened(), DoorClosed())
      .when(OpenDoor({ by: 'bob' }))
      .then(DoorOpened({ by: 'bob' }));
    expect(() =>
      given()
        .when(OpenDoor())
        .then(DoorOpened({ by: 'bob' })),
    ).to.throw(AssertionError, /bob/);
  });

  it('distinguishes nothing to do from something done', () => {
    given().when(CloseDoor()).nothing();
    expect(() => given(DoorOpened()).when(CloseDoor()).nothing()).to.throw(AssertionError);
  });

  it('compares a refusal by slug and, when asked, by extensions', () => {
    const outcome = given(DoorOpened()).when(OpenDoor());
    outcome.refused('conflict');
    outcome.refused('conflict', { state: 'open' });
    expect(() => outcome.refused('not-found')).to.throw(AssertionError, /not-found/);
    expect(() => outcome.refused('conflict', {})).to.throw(AssertionError);
    expect(() => given().when(OpenDoor()).refused('conflict')).to.throw(AssertionError, /DoorOpened/);
  });

  it('shows the state a command leaves behind', () => {
    given()
      .when(OpenDoor())
      .leaves((state) => expect(state).to.equal('open'));
  });

  it('rethrows an unexpected error of the rule', () => {
    const broken = {
      ...door,
      decide: () => {
        throw new RangeError('broken rule');
      },
    };
    expect(() => deciderSpec(broken).given().when(OpenDoor()).refused('conflict')).to.throw(RangeError);
  });

  it('reads process managers as when(event).then(commands)', () => {
    const { when } = reactionSpec((event: DoorEvent) => (event.type === 'DoorOpened' ? [CloseDoor()] : []));
    when(DoorOpened()).then(CloseDoor());
    when(DoorClosed()).nothing();
  });

  it('reads read models as given(events).then(rows)', () => {
    const { given: log } = projectionSpec<DoorEvent, { by: string; times: number }>({
      key: () => 'front',
      on: {
        DoorOpened: (row, event) =>
          event.type === 'DoorOpened' ? { by: event.data.by, times: (row?.times ?? 0) + 1 } : row,
      },
    });
    log(DoorOpened(), DoorClosed(), DoorOpened({ by: 'bob' })).then({ by: 'bob', times: 2 });
    log(DoorClosed()).then();
  });
});
