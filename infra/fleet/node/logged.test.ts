import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId } from '../../../contracts/ids.ts';
import { simulatedHands } from '../simulated/hands.ts';
import { showSimulatedWindow } from '../simulated/window.ts';
import type { DriverLogEntry } from './driver-log.ts';
import { loggedHands, loggedShow } from './logged.ts';
import type { ShowPicture } from './picture.ts';

describe('the driver’s log of people’s use of a browser', () => {
  const session_id = toId('session', randomUUID());
  let lines: DriverLogEntry[];
  const log = (line: DriverLogEntry) => void lines.push(line);
  const logged = (show: ShowPicture): ShowPicture => loggedShow(show, session_id, log) ?? expect.fail();
  beforeEach(() => {
    lines = [];
  });

  it('has each touch, with its point, before the browser gets it, and no keys or texts', async () => {
    const hands = simulatedHands({ width: 390, height: 664 });
    const logged = loggedHands(hands, session_id, log);
    await logged.touch({ type: 'down', finger: 1, x: 3, y: 4 });
    await logged.text('secret');
    expect(lines).to.deep.equal([{ action: 'touch', session_id, type: 'down', x: 3, y: 4 }]);
    expect(hands.felt).to.deep.equal(['down 1 3,4', 'text of 6']);
  });

  it('has the start of a picture, and its end once', async () => {
    const pictures: Buffer[] = [];
    const show = logged(showSimulatedWindow);
    const shown = await show('jpeg', { unit: (unit) => pictures.push(unit), ended: () => undefined });
    shown.key();
    await shown.close();
    await shown.close();
    expect(pictures.map((picture) => picture.readUInt16BE(0))).to.deep.equal([0xffd8, 0xffd8]);
    expect(lines.map(({ action }) => action)).to.deep.equal(['show', 'hide']);
  });

  it('has the end of a picture that did not start, and of one that ended by itself', async () => {
    const show = logged(showSimulatedWindow);
    const listener = { unit: () => undefined, ended: () => undefined };
    expect(await show('vp8', listener).catch(() => 'refused')).to.equal('refused');
    const endsAtOnce = logged((_kind, given) => {
      given.ended();
      return showSimulatedWindow('jpeg', given);
    });
    const shown = await endsAtOnce('jpeg', listener);
    await shown.close();
    expect(lines.map(({ action }) => action)).to.deep.equal(['show', 'hide', 'show', 'hide']);
  });
});
