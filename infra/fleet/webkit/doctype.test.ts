import { expect } from 'chai';
import { run } from './testing/browser.ts';
import { servePages } from './testing/pages.ts';
import { handsOf, withBrowser } from './testing/suite.ts';

const strict =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">';
const pages = {
  '/public': strict,
  '/named': '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN">',
  '/legacy': '<!DOCTYPE html SYSTEM "about:legacy-compat">',
  '/quoted': `<!DOCTYPE html SYSTEM 'a "quoted" one'>`,
  '/plain': '<!DOCTYPE html>',
};

describe('a snapshot of a document', () => {
  const suite = withBrowser(() =>
    servePages(
      Object.fromEntries(Object.entries(pages).map(([path, declaration]) => [path, `${declaration}<p>Text`])),
    ),
  );

  for (const [path, declaration] of Object.entries(pages)) {
    it(`keeps ${declaration}`, async () => {
      await handsOf(suite).go(path);
      const { data } = await run(suite.browser, 'capture', { kind: 'dom_snapshot' });
      expect(data.split('\n')[0]).to.equal(declaration);
    });
  }
});
