import { expect } from 'chai';
import fc from 'fast-check';
import type { RoomState } from '../../../contracts/fleet/room.ts';
import type { InputEvent } from '../../../contracts/resources/pair-mode.ts';
import { answered, fakeRoom, fakeSeat, pairOf, personOf, sessionId, stateOf } from './testing/room.ts';

const [a, b] = ['a', 'b'].map((client_id) => personOf({ attributes: { client_id } }));
const watcher = personOf({ right: 'watch', attributes: { client_id: 'a' } });

/** Possible next states of the control plane; each change has the next epoch. */
const controls: readonly (Partial<RoomState> | undefined)[] = [
  { mode: 'manual' },
  { mode: 'ai' },
  { mode: 'manual', status: 'paused' },
  { mode: 'manual', status: 'closed' },
  { mode: 'manual', session_id: null },
  pairOf('ai-driving'),
  pairOf('takeover-pending', 'a'),
  pairOf('human-driving', 'a'),
  pairOf('human-driving', 'b'),
  pairOf('handback-pending'),
  undefined,
];

type Action =
  | { readonly is: 'control'; readonly what: number }
  | { readonly is: 'input'; readonly who: number; readonly behind: number; readonly kind: number }
  | { readonly is: 'operation' | 'turn' };

const actions = fc.array(
  fc.oneof(
    {
      weight: 2,
      arbitrary: fc.record({ is: fc.constant('control' as const), what: fc.nat(controls.length - 1) }),
    },
    {
      weight: 8,
      arbitrary: fc.record({
        ...{ is: fc.constant('input' as const), who: fc.nat(2), behind: fc.constantFrom(0, 0, 0, 1) },
        kind: fc.nat(5),
      }),
    },
    { weight: 1, arbitrary: fc.record({ is: fc.constant('operation' as const) }) },
    // Lets pending work continue.
    { weight: 6, arbitrary: fc.record({ is: fc.constant('turn' as const) }) },
  ),
  { minLength: 10, maxLength: 60 },
);

const turn = () => new Promise((resolve) => setImmediate(resolve));
/** The point encodes the sender and the epoch of the event. */
const eventOf = (kind: number, x: number, y: number): InputEvent => {
  if (kind === 0) return { type: 'touchStart', x, y, touchId: 0 };
  if (kind === 1) return { type: 'touchMove', x, y, touchId: 0 };
  if (kind === 2) return { type: 'touchEnd', x, y, touchId: 0 };
  return { type: 'swipe', x1: x, y1: y, x2: x, y2: y, durationMs: 4 };
};

interface Felt {
  readonly type: string;
  readonly sentUnder: number;
  readonly by: number;
  readonly state: RoomState | undefined;
  readonly isOperating: boolean;
}

/** Runs the actions. Returns every touch with the state at the time when the browser got it. */
async function play(script: readonly Action[]): Promise<readonly Felt[]> {
  const felt: Felt[] = [];
  const seat = fakeSeat(sessionId);
  let state: RoomState | undefined = stateOf({ epoch: 1 });
  const touch: typeof seat.hands.touch = async ({ type, x, y }) => {
    const isOperating = room.turns.isOperating(sessionId);
    felt.push({ type, sentUnder: x, by: y, state, isOperating });
    await turn();
  };
  const seatOf = () => ({ ...seat, hands: { ...seat.hands, touch } });
  const room: ReturnType<typeof fakeRoom> = fakeRoom(state, { seatOf });
  const people = [a, b, watcher].map((who) => room.join(who ?? watcher));
  let epoch = 1;
  let last = 0;
  for (const action of script) {
    if (action.is === 'turn') await turn();
    if (action.is === 'operation') void room.turns.operate(sessionId, turn);
    if (action.is === 'control') {
      const said = controls[action.what];
      epoch += 1;
      state = said && stateOf({ ...said, epoch });
      room.say(state);
    }
    const who = action.is === 'input' ? people[action.who] : undefined;
    if (action.is === 'input' && who !== undefined) {
      const under = Math.max(1, epoch - action.behind);
      last = room.input(who, eventOf(action.kind, under, action.who), { epoch: under });
    }
  }
  if (last > 0) await answered(room, last);
  return felt;
}

const mayTouch = ({ mode, status, session_id, pair }: RoomState, by: number): boolean => {
  if (status !== 'active' || session_id === null || mode === 'ai' || by === 2) return false;
  return pair === null || (pair.kind === 'human-driving' && pair.client_id === ['a', 'b'][by]);
};

describe('touches, whatever happens before they reach the browser', () => {
  it('reach it only under the epoch they were sent under, from a participant with permission, and during no operation', async () => {
    let reached = 0;
    await fc.assert(
      fc.asyncProperty(actions, async (script) => {
        for (const { type, sentUnder, by, state, isOperating } of await play(script)) {
          reached += 1;
          expect(sentUnder, `a ${type}`).to.equal(state?.epoch);
          expect(state !== undefined && mayTouch(state, by), `a ${type} of ${by}`).to.equal(true);
          expect(isOperating, `a ${type}`).to.equal(false);
        }
      }),
      { numRuns: 150 },
    );
    expect(reached).to.be.above(50);
  });
});
