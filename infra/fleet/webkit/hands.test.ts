import { expect } from 'chai';
import { until } from '../../verification/testbed/index.ts';
import type { Hands } from '../node/driver.ts';
import { ask, failure, run } from './testing/browser.ts';
import { servePages } from './testing/pages.ts';
import { handsOf, withBrowser } from './testing/suite.ts';

/** Records every touch, pointer and key event, and the value of the field. */
const reporting = `<!doctype html><meta name="viewport" content="width=device-width">
<style>body { margin: 0; height: 4000px } input, textarea { position: fixed; left: 20px; width: 300px; height: 40px }</style>
<input id="field" style="top: 20px"><textarea id="area" style="top: 80px"></textarea>
<input id="secret" type="password" style="top: 140px">
<button id="show" style="position: fixed; left: 20px; top: 200px; width: 200px; height: 60px" onclick="secret.type = 'text'; log('shown')">Show</button>
<button style="position: fixed; left: 20px; top: 280px; width: 200px; height: 60px" onclick="makeSlow()">Slow</button>
<div id="log"></div>
<script>
  const makeSlow = () => {
    addEventListener('keydown', () => { for (const end = performance.now() + 300; performance.now() < end; ); });
    log('slow');
  };
  const log = (word) => { document.getElementById('log').textContent += word + ' '; };
  for (const type of ['touchstart', 'touchmove', 'touchend'])
    addEventListener(type, (event) => {
      for (const touch of event.changedTouches) log(type + ':' + Math.round(touch.clientX) + ',' + Math.round(touch.clientY) + (event.isTrusted ? '' : '!'));
    });
  for (const type of ['pointerdown', 'pointerup']) addEventListener(type, (event) => log(type + ':' + event.pointerType));
  for (const type of ['click', 'dblclick']) addEventListener(type, () => log(type));
  for (const type of ['keydown', 'keyup']) addEventListener(type, (event) => log(type + ':' + event.key));
  addEventListener('scroll', () => log('scrolled'), { once: true });
  visualViewport.addEventListener('resize', () => visualViewport.scale > 1.5 && log('pinched'));
  addEventListener('paste', (event) => log('paste'));
  addEventListener('input', () => log('input:' + secret.value.length));
</script>`;

/** Is busy for a while, a second after its field got the focus. */
const busy = `<!doctype html><input id="field"><script>
  field.onfocus = () => setTimeout(() => {
    for (const end = performance.now() + 2500; performance.now() < end; );
    document.title = 'free';
  }, 1000);
</script>`;

/** Opens tabs at a tap, and a moment after it, and shows in its title which were opened. */
const opening = `<!doctype html><meta name="viewport" content="width=device-width"><body style="height: 4000px"><script>
  const open = () => { document.title += ' ' + [1, 2, 3].map(() => Boolean(window.open('/busy'))); };
  onclick = () => { open(); setTimeout(open, 50); };
</script>`;

describe('the hands of a person', function () {
  const suite = withBrowser(() => servePages({ '/report': reporting, '/busy': busy, '/opening': opening }));
  const { go, read, act } = handsOf(suite);
  const hands = (): Hands => suite.browser.hands;
  const logged = async () =>
    (await read('#log'))
      .trim()
      .split(/\s+/)
      .filter((word) => word !== '');
  const logs = async (...words: readonly string[]) =>
    until(async () => {
      const seen = await logged();
      return words.every((word) => seen.includes(word)) ? seen : false;
    });
  const value = read;
  const down = (x: number, y: number, finger = 0) => hands().touch({ type: 'down', finger, x, y });
  const move = (x: number, y: number, finger = 0) => hands().touch({ type: 'move', finger, x, y });
  const up = (x: number, y: number, finger = 0) => hands().touch({ type: 'up', finger, x, y });
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const tap = async (x: number, y: number) => {
    await down(x, y);
    await up(x, y);
  };

  beforeEach(() => go('/report'));
  afterEach(() => hands().lift());

  it('tap: the page gets a touch at that point, its pointer events, and a click', async () => {
    await tap(200, 400);
    const seen = await logs('touchstart:200,400', 'touchend:200,400', 'click');
    expect(seen.slice(0, 2)).to.deep.equal(['pointerdown:touch', 'touchstart:200,400']);
    expect(seen.filter((word) => word.endsWith('!'))).to.deep.equal([]);
  });

  it('type: also after a shortcut that a busy page got too late', async () => {
    await go('/busy');
    await act({ kind: 'focus', selector: '#field' });
    await pause(1_200);
    expect(await failure(hands().keyDown('a', ['cmd']))).to.include({ kind: 'timeout' });
    await until(async () => (await ask(suite.browser, 'page_state', null)).title === 'free');
    await act({ kind: 'type', selector: '#field', text: 'xy' });
    expect(await value('#field')).to.equal('xy');
  });

  it('tap twice in quick succession: a double tap', async () => {
    await tap(200, 400);
    await pause(60);
    await tap(200, 400);
    await logs('dblclick');
  });

  it('tap: the page opens one tab at most', async () => {
    const opened = async () => (await run(suite.browser, 'state_capture', null)).tabs ?? [];
    await go('/opening');
    for (const times of [1, 2]) {
      await tap(200, 400);
      const title = 'true,false,false false,false,false '.repeat(times).trim();
      await until(async () => (await opened())[0]?.title === title);
      expect(await opened()).to.have.length(2);
      await act({ kind: 'close_tab' });
    }
  });

  it('press long: a touch until the finger is lifted, without a click', async () => {
    await down(200, 400);
    await logs('touchstart:200,400');
    await pause(700);
    expect(await logged()).not.to.include('touchend:200,400');
    await up(200, 400);
    await logs('touchend:200,400');
    const seen = await logged();
    expect(seen.slice(seen.indexOf('touchstart:200,400'))).not.to.include('click');
  });

  it('swipe: the page scrolls under the finger', async () => {
    await down(200, 500);
    for (let y = 480; y >= 300; y -= 20) {
      await move(200, y);
      await pause(8);
    }
    await up(200, 300);
    await logs('touchmove:200,300', 'touchend:200,300', 'scrolled');
    expect(await logged()).not.to.include('click');
  });

  it('type: keys with their codes, held until released, with modifiers', async () => {
    await tap(100, 40);
    await until(async () => (await hands().keyboard()) !== null);
    await hands().keyDown('h', []);
    await hands().keyUp('h');
    await hands().keyDown('I', []);
    await hands().keyUp('I');
    await logs('keydown:h', 'keyup:h', 'keydown:I', 'keyup:I');
    await until(async () => (await value('#field')) === 'hI');
    await hands().keyDown('a', ['cmd']);
    await hands().keyUp('a');
    await hands().keyDown('Backspace', []);
    await hands().keyUp('Backspace');
    await until(async () => (await value('#field')) === '');
  });

  for (const text of ['grüße', 'привет', '日本語', 'नमस्ते', '👩‍👩‍👧‍👦'])
    it(`enter text without a key: ${text}`, async () => {
      await tap(100, 40);
      await until(async () => (await hands().keyboard()) !== null);
      await hands().text(text);
      await until(async () => (await value('#field')) === text);
    });

  it('paste: the page gets a paste event and the text', async () => {
    await tap(100, 100);
    await until(async () => (await hands().keyboard())?.kind === 'textarea');
    const text = 'two\nlines and '.repeat(700);
    await hands().paste(text);
    await logs('paste');
    await until(async () => (await value('#area')) === text);
  });

  it('paste a secret that nobody can paste again', async () => {
    await tap(100, 160);
    await until(async () => (await hands().keyboard())?.kind === 'password');
    await hands().paste('hunter2');
    await logs('input:7');
    await tap(100, 40);
    await until(async () => (await hands().keyboard())?.kind === 'text');
    await hands().keyDown('v', ['cmd']);
    await hands().text('typed');
    await until(async () => (await value('#field')).endsWith('typed'));
    expect(await value('#field')).to.equal('typed');
  });

  it('paste without the loss of what was copied from the page', async () => {
    await tap(100, 40);
    await until(async () => (await hands().keyboard())?.kind === 'text');
    await hands().text('copied');
    await until(async () => (await value('#field')) === 'copied');
    await hands().keyDown('a', ['cmd']);
    await hands().keyDown('c', ['cmd']);
    await tap(100, 100);
    await until(async () => (await hands().keyboard())?.kind === 'textarea');
    await hands().paste('one, ');
    await hands().paste('two, ');
    await hands().keyDown('v', ['cmd']);
    await until(async () => (await value('#area')) === 'one, two, copied');
  });

  for (const act of ['text', 'paste'] as const)
    it(`${act} after keys that the page is slow to handle: it keeps the order`, async () => {
      await tap(100, 100);
      await until(async () => (await hands().keyboard())?.kind === 'textarea');
      await hands().text('three');
      await until(async () => (await value('#area')) === 'three');
      await tap(100, 310);
      await until(async () => (await logged()).includes('slow'));
      await tap(100, 100);
      await until(async () => (await hands().keyboard())?.kind === 'textarea');
      for (let times = 0; times < 3; times += 1) {
        await hands().keyDown('Backspace', []);
        await hands().keyUp('Backspace');
      }
      await hands()[act](' two');
      await until(async () => (await value('#area')).endsWith(' two'));
      expect(await value('#area')).to.equal('th two');
    });

  it('copy selected text, but no secret', async () => {
    await tap(100, 40);
    await until(async () => (await hands().keyboard()) !== null);
    await hands().text('for everybody');
    await hands().keyDown('a', ['cmd']);
    await until(async () => (await hands().selection()) === 'for everybody');
    await tap(100, 160);
    await until(async () => (await hands().keyboard())?.kind === 'password');
    await hands().text('for nobody');
    await hands().keyDown('a', ['cmd']);
    expect(await hands().selection()).to.equal('');
  });

  it('type a secret that stays secret even after the page reveals it', async () => {
    await tap(100, 160);
    await logs('click');
    await hands().keyDown('p', []);
    await hands().keyUp('p');
    await hands().text('assword');
    await logs('keyup:p');
    await tap(100, 230);
    await logs('shown');
    await logs('input:8');
    expect(await read('#secret')).not.to.include('assword');
    const seen = JSON.stringify(await ask(suite.browser, 'observe', null));
    expect(seen).not.to.include('assword');
  });

  it('report the keyboard that a phone would show, and the box of its field', async () => {
    expect(await hands().keyboard()).to.equal(null);
    await tap(100, 40);
    await until(async () => (await hands().keyboard()) !== null);
    const wanted = await hands().keyboard();
    expect([wanted?.kind, wanted?.inputmode]).to.deep.equal(['text', '']);
    expect(wanted?.box.x).to.be.closeTo(20, 1);
    expect(wanted?.box.y).to.be.closeTo(20, 1);
  });

  it('release all fingers and keys at once', async () => {
    await down(200, 400, 0);
    await down(250, 450, 1);
    await logs('touchstart:200,400', 'touchstart:250,450');
    await hands().lift();
    await logs('touchend:200,400', 'touchend:250,450');
    await tap(200, 400);
    await logs('click');
  });

  it('get the point of an operation’s touch before the touch, while they watch', async () => {
    const aims: { x: number; y: number; in_ms: number; before: readonly string[] }[] = [];
    let logging = Promise.resolve();
    const endFormer = hands().watchAims(() => undefined);
    const end = hands().watchAims((aim) => {
      logging = logged().then((before) => void aims.push({ ...aim, before }));
    });
    endFormer();
    await act({ kind: 'tap', selector: '#field' });
    end();
    await logging;
    expect(aims).to.have.lengthOf(1);
    const [aim] = aims;
    expect([Math.round(aim?.y ?? 0), aim?.in_ms]).to.deep.equal([43, 200]);
    expect(aim?.before).to.deep.equal([]);
    await logs(`touchstart:${Math.round(aim?.x ?? 0)},${Math.round(aim?.y ?? 0)}`);
    await act({ kind: 'tap', selector: '#area' });
    expect(aims).to.have.lengthOf(1);
  });

  // Runs last: a page that was pinched stays zoomed.
  it('pinch with two fingers: the page is zoomed', async () => {
    await down(150, 400, 0);
    await down(250, 400, 1);
    for (let by = 10; by <= 60; by += 10) {
      await move(150 - by, 400, 0);
      await move(250 + by, 400, 1);
      await pause(8);
    }
    await up(90, 400, 0);
    await up(310, 400, 1);
    await logs('touchstart:150,400', 'touchstart:250,400', 'pinched');
  });
});
