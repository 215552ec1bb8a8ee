import { expect } from 'chai';
import { Hand } from '../../console/parts/phone/hand.ts';

describe('the hand of the console', () => {
  const names = ['requestAnimationFrame', 'cancelAnimationFrame'] as const;
  const frames = new Map<number, () => void>();
  let asked = 0;
  const screen = {
    requestAnimationFrame: (draw: () => void) => {
      asked += 1;
      frames.set(asked, draw);
      return asked;
    },
    cancelAnimationFrame: (frame: number) => void frames.delete(frame),
  };
  const drawFrame = () => [...frames.values()].forEach((draw) => draw());
  before(() => void Object.assign(globalThis, screen));
  after(() => names.forEach((name) => Reflect.deleteProperty(globalThis, name)));

  const size = { width: 400, height: 600 };
  const at = { x: 200, y: 300 };
  /** A wheel's distance that doubles the distance between the fingers. */
  const wide = -100 * Math.log(2);
  const handWith = (sent: string[]) =>
    new Hand({
      size: () => size,
      send: (event) => void sent.push('touchId' in event ? `${event.type} ${event.touchId} ${event.x}` : ''),
    });

  it('sends the two fingers of a pinch once a frame, and lifts them where they are', () => {
    const sent: string[] = [];
    const hand = handWith(sent);
    const down = ['touchStart 0 140', 'touchStart 1 260'];
    for (let times = 0; times < 10; times += 1) hand.pinch(at, wide / 10);
    expect(sent.splice(0)).to.deep.equal(down);
    drawFrame();
    expect(sent.splice(0).map(rounded)).to.deep.equal(['touchMove 0 80', 'touchMove 1 320']);
    drawFrame();
    hand.pinch(at, -wide);
    hand.lift();
    drawFrame();
    expect(sent.map(rounded)).to.deep.equal([
      ...['touchMove 0 140', 'touchMove 1 260', 'touchEnd 0 140', 'touchEnd 1 260'],
    ]);
  });

  it('lifts the fingers of a pinch before another one goes down', () => {
    const sent: string[] = [];
    const hand = handWith(sent);
    hand.pinch(at, wide);
    drawFrame();
    sent.splice(0);
    hand.down(1, at);
    hand.up(1);
    expect(sent.map(rounded)).to.deep.equal([
      ...['touchEnd 0 80', 'touchEnd 1 320', 'touchStart 0 200', 'touchEnd 0 200'],
    ]);
    hand.lift();
  });
});

/** The same with a whole coordinate. */
const rounded = (text: string): string => text.replace(/[\d.]+$/, (x) => String(Math.round(Number(x))));
