import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { HeldDialog, RoomInput } from '../../../contracts/resources/room.ts';
import { until } from '../../verification/testbed/index.ts';
import { answered, fakeRoom, pairOf, personOf, sessionId, stateOf } from './testing/room.ts';

const dialogOf = (about: Partial<HeldDialog> = {}): HeldDialog => ({
  ...{ id: 1, type: 'confirm', origin: 'http://sim.test', message: 'Delete?' },
  ...{ default_text: null, answer_ms: 20_000 },
  ...about,
});
const accepts = (dialogId: number, text?: string): RoomInput => ({
  ...{ type: 'answerDialog', dialogId, accept: true },
  ...(text !== undefined && { text }),
});
const dismisses = (dialogId: number): RoomInput => ({ type: 'answerDialog', dialogId, accept: false });

describe('a dialog of the page, while a person drives', () => {
  const participant = `customer-${randomUUID()}`;
  const me = personOf({ identity: participant, attributes: { client_id: 'a' } });
  const driving = (epoch = 1) => stateOf({ ...pairOf('human-driving', 'a', participant), epoch });
  /** A room in which this person drives, and whose page has opened a dialog. */
  const opened = async (dialog = dialogOf()) => {
    const room = fakeRoom(driving());
    room.join(me);
    expect(room.hands.openDialog(dialog)).to.equal(true);
    await shows(room, dialog);
    return room;
  };
  const shows = (room: ReturnType<typeof fakeRoom>, dialog: HeldDialog | null) =>
    until(async () => JSON.stringify(room.pages().at(-1)?.dialog) === JSON.stringify(dialog));

  it('is sent to everybody in the room, and stays open until it is answered', async () => {
    const room = await opened();
    const late = room.join(personOf({ right: 'watch' }));
    expect(room.sent.findLast(({ to }) => to?.includes(late.identity))?.message).to.deep.include({
      dialog: dialogOf(),
    });
    expect(room.hands.felt).to.deep.equal([]);
    expect(await answered(room, room.input(me, accepts(1)))).to.equal('ok');
    expect(room.hands.felt).to.deep.equal(['dialog 1 accepted']);
    await shows(room, null);
  });

  it('is dismissed, or accepted with a text', async () => {
    const room = await opened();
    await answered(room, room.input(me, dismisses(1)));
    room.hands.openDialog(dialogOf({ id: 2, type: 'prompt', default_text: 'Ada' }));
    await answered(room, room.input(me, accepts(2, 'Grace')));
    expect(room.hands.felt).to.deep.equal(['dialog 1 dismissed', 'dialog 2 accepted Grace']);
  });

  it('is still shown to a person who has lost the connection and joined again', async () => {
    const unnamed = personOf({ identity: participant });
    const room = fakeRoom(driving());
    room.join(unnamed);
    await answered(room, room.input(unnamed, { type: 'tap', x: 10, y: 20 }, { client_id: 'a' }));
    room.leave(unnamed, 'lost');
    room.join(unnamed);
    expect(room.hands.openDialog(dialogOf())).to.equal(true);
    await shows(room, dialogOf());
  });

  it('passes the browser to nobody by an answer that comes too late', async () => {
    const room = fakeRoom(stateOf({ mode: 'manual' }));
    const [one, other] = [room.join(personOf({})), room.join(personOf({}))];
    await answered(room, room.input(one, { type: 'touchStart', x: 10, y: 10, touchId: 0 }));
    expect(await answered(room, room.input(other, accepts(1)))).to.equal('no-dialog');
    expect(await answered(room, room.input(one, { type: 'touchEnd', x: 10, y: 10, touchId: 0 }))).to.equal(
      'ok',
    );
    expect(room.controls().at(-1)).to.include({ last_touched_by: one.identity });
  });

  it('takes no answer for another dialog, under another epoch, or of anybody else', async () => {
    const room = await opened(dialogOf({ id: 2 }));
    const other = room.join(personOf({ attributes: { client_id: 'b' } }));
    const watcher = room.join(personOf({ right: 'watch' }));
    expect(await answered(room, room.input(me, accepts(1)))).to.equal('no-dialog');
    expect(await answered(room, room.input(me, accepts(2), { epoch: 7 }))).to.equal('old-epoch');
    expect(await answered(room, room.input(other, accepts(2)))).to.equal('other-client');
    expect(await answered(room, room.input(watcher, accepts(2)))).to.equal('watching');
    expect(room.hands.felt).to.deep.equal([]);
  });

  it('keeps other input from the page, which would get it afterwards, but fingers are lifted', async () => {
    const room = fakeRoom(driving());
    room.join(me);
    await answered(room, room.input(me, { type: 'touchStart', x: 10, y: 10, touchId: 0 }));
    room.hands.openDialog(dialogOf());
    const refused: RoomInput[] = [
      { type: 'tap', x: 10, y: 20 },
      { type: 'touchMove', x: 10, y: 20, touchId: 0 },
      { type: 'keyDown', key: 'Enter' },
      { type: 'text', text: 'a' },
      { type: 'paste', text: 'a' },
    ];
    for (const event of refused)
      expect(await answered(room, room.input(me, event)), event.type).to.equal('dialog-open');
    const lifted = room.input(me, { type: 'touchEnd', x: 10, y: 10, touchId: 0 });
    expect(await answered(room, lifted)).to.equal('ok');
    expect(await answered(room, room.input(me, { type: 'ping', timestamp: 1 }))).to.equal('ok');
    expect(room.hands.felt).to.deep.equal(['down 0 10,10', 'up 0 10,10']);
  });

  it('does not prevent that the controls are given back', async () => {
    const room = await opened();
    room.data(me, 'control', { seq: 9, type: 'handback' });
    await until(async () => room.asked.some(({ kind }) => kind === 'handback'));
  });

  it('gets its default answer when control changes, and when the person leaves', async () => {
    const changed = await opened();
    changed.say(stateOf({ ...pairOf('handback-pending', 'a', participant), epoch: 2 }));
    expect(changed.hands.felt).to.deep.equal(['dialog 1 by default']);
    const left = await opened();
    left.leave(me, 'lost');
    expect(left.hands.felt).to.deep.equal(['dialog 1 by default']);
    const unknown = await opened();
    unknown.say(undefined);
    expect(unknown.hands.felt).to.deep.equal(['dialog 1 by default']);
  });

  it('gets its default answer before an operation, whose own dialogs are not held', async () => {
    const room = await opened();
    const under = { way: false, finish: (): void => undefined };
    const operation = room.turns.operate(
      sessionId,
      () => new Promise<void>((finish) => Object.assign(under, { way: true, finish })),
    );
    expect(room.hands.felt).to.deep.equal(['dialog 1 by default']);
    await shows(room, null);
    expect(room.hands.openDialog(dialogOf({ id: 2 }))).to.equal(false);
    room.say(driving(2));
    expect(room.hands.openDialog(dialogOf({ id: 2 }))).to.equal(false);
    await until(async () => under.way);
    under.finish();
    await operation;
    expect(room.hands.openDialog(dialogOf({ id: 2 }))).to.equal(true);
  });

  const undriven = [
    ['in the mode ai', stateOf({ mode: 'ai' }), me],
    ['while the agent drives', stateOf(pairOf('ai-driving')), me],
    ['while another client drives', stateOf(pairOf('human-driving', 'b', `customer-${randomUUID()}`)), me],
    ['while the session is paused', stateOf({ status: 'paused' }), me],
    ['if people only watch', stateOf(), personOf({ right: 'watch' })],
  ] as const;
  for (const [when, state, who] of undriven)
    it(`is not held open ${when}`, () => {
      const room = fakeRoom(state);
      room.join(who);
      expect(room.hands.openDialog(dialogOf())).to.equal(false);
    });

  it('is held open in manual mode, too', () => {
    const room = fakeRoom(stateOf());
    room.join(personOf());
    expect(room.hands.openDialog(dialogOf())).to.equal(true);
  });
});
