import { expect } from 'chai';
import type { HeldDialog } from '../../../contracts/resources/room.ts';
import { until } from '../../verification/testbed/index.ts';
import type { Hands } from '../node/driver.ts';
import { ask, failure } from './testing/browser.ts';
import { servePages } from './testing/pages.ts';
import { handsOf, withBrowser } from './testing/suite.ts';

/** Buttons, each of which shows in the title what its dialog gave. */
const asking = `<!doctype html><meta name="viewport" content="width=device-width"><title>none</title>
<style>button { position: fixed; left: 20px; width: 200px; height: 60px }</style>
<button style="top: 20px" onclick="document.title = confirm('Delete?')">Delete</button>
<button style="top: 100px" onclick="document.title = prompt('Name?', 'Ada')">Name</button>
<button style="top: 180px" onclick="alert('x'.repeat(5000)); document.title = 'told'">Tell</button>
<button style="top: 260px" onclick="for (let n = 0; n < 50; n += 1) confirm(n); document.title = 'over'">Ask on</button>`;

describe('a dialog of a page is answered by the person who drives', function () {
  const suite = withBrowser(() => servePages({ '/ask': asking, '/before': '<title>before</title>' }));
  const { go } = handsOf(suite);
  const hands = (): Hands => suite.browser.hands;
  const tap = async (x: number, y: number) => {
    await hands().touch({ type: 'down', finger: 0, x, y });
    await hands().touch({ type: 'up', finger: 0, x, y });
  };
  /** The dialogs that were announced, and null for each end. */
  let told: (HeldDialog | null)[];
  let endHolding: () => Promise<void>;
  beforeEach(async () => {
    await go('/ask');
    told = [];
    endHolding = hands().holdDialogs((dialog) => void told.push(dialog));
  });
  afterEach(() => endHolding());
  const state = () => ask(suite.browser, 'page_state', null);
  const titleIs = (title: string, limitMs?: number) =>
    until(async () => (await state()).title === title, { ...(limitMs && { limitMs }) });
  const opened = () => until(() => told.at(-1));

  it('and stays open until then', async () => {
    await tap(100, 50);
    const { id, ...dialog } = await opened();
    const { origin } = new URL(suite.site.url);
    expect(dialog).to.deep.equal({
      ...{ type: 'confirm', message: 'Delete?', default_text: null },
      ...{ origin, answer_ms: 20_000 },
    });
    expect(await hands().answerDialog({ id: id + 1, accept: true })).to.equal(false);
    expect(await state()).to.include({ state: 'loaded', title: 'none' });
    expect(await failure(ask(suite.browser, 'observe', null))).to.include({ kind: 'timeout' });
    expect(await hands().answerDialog({ id, accept: true })).to.equal(true);
    await titleIs('true');
    expect(told.at(-1)).to.equal(null);
    expect(await hands().answerDialog({ id, accept: true })).to.equal(false);
  });

  it('with a text, with the default one, or with none', async () => {
    for (const [answer, title] of [
      [{ accept: true, text: 'Grace ❤' }, 'Grace ❤'],
      [{ accept: true }, 'Ada'],
      [{ accept: false }, 'null'],
    ] as const) {
      await tap(100, 130);
      const { id, type, default_text } = await opened();
      expect([type, default_text]).to.deep.equal(['prompt', 'Ada']);
      await hands().answerDialog({ id, ...answer });
      await titleIs(title);
    }
  });

  it('who sees the beginning of a long message', async () => {
    await tap(100, 210);
    const { id, message } = await opened();
    expect(message).to.equal('x'.repeat(1_000));
    await hands().answerDialog({ id, accept: false });
    await titleIs('told');
  });

  it('or by default once nobody drives, also if its page asks on and on', async () => {
    await tap(100, 290);
    await opened();
    await endHolding();
    await titleIs('over');
    expect(told).to.have.length(1);
    await tap(100, 50);
    await titleIs('false');
  });

  it('or by default before the page is left for an earlier one', async () => {
    await go('/before');
    await go('/ask');
    await tap(100, 50);
    await opened();
    await ask(suite.browser, 'history', { direction: 'back' });
    expect(told.at(-1)).to.equal(null);
    await titleIs('before');
  });

  it('or by default after twenty seconds', async () => {
    await tap(100, 50);
    await opened();
    await titleIs('false', 40_000);
    expect(told.at(-1)).to.equal(null);
  });
});
