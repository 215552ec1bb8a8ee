import { expect } from 'chai';
import { run } from './testing/browser.ts';
import { servePages } from './testing/pages.ts';
import { handsOf, withBrowser } from './testing/suite.ts';

const page = (field: string, css = '') =>
  `<!doctype html><meta name="viewport" content="width=device-width"><style>* { outline: 0 } #field { font: 60px serif; ${css} }</style>${field}
  <pre id="log"></pre><script>
    const field = document.getElementById('field');
    for (const type of ['blur', 'focusout', 'selectionchange', 'transitionrun', 'transitioncancel'])
      addEventListener(type, () => document.getElementById('log').append(type + ' '), true);
  </script>`;

/** More pictures than fit into the half second for which a blinking caret is invisible. */
const pictures = 6;

describe('a picture', () => {
  const fields = {
    '/field': page('<input id="field">'),
    '/area': page('<textarea id="field"></textarea>'),
    '/editor': page('<div id="field" contenteditable><p>a</p></div>'),
    '/colour': page('<input id="field">', 'caret-color: red !important; transition: all 1s'),
  };
  const suite = withBrowser(() => servePages(fields));

  for (const path of Object.keys(fields)) {
    it(`shows no caret, and the page keeps it: ${path}`, async () => {
      const { go, act, read } = handsOf(suite);
      await go(path);
      await act({ kind: 'focus', selector: '#field' });
      const shot = async () =>
        (await run(suite.browser, 'capture', { kind: 'screenshot', selector: '#field' })).data;
      // Focusing may start a CSS transition, which the first picture finishes.
      const taken = new Set([await shot()]);
      const before = await read('#log');
      for (let count = 0; count < pictures; count += 1) {
        taken.add(await shot());
        await run(suite.browser, 'wait', { condition: { kind: 'delay', ms: 150 } });
      }
      expect(taken.size).to.equal(1);
      expect(await read('#log')).to.equal(before);
      await act({ kind: 'press', key: 'x' });
      const typed = { kind: 'text', selector: '#field', text: 'x' } as const;
      expect((await run(suite.browser, 'wait', { condition: typed })).matched).to.equal(true);
    });
  }
});
