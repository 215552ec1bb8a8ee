import { expect } from 'chai';
import { failure, run } from '../testing/browser.ts';
import { startTestSite } from '../testing/site.ts';
import { handsOf, withBrowser } from '../testing/suite.ts';

describe('extraction from a real page', () => {
  const suite = withBrowser(startTestSite);
  const { go } = handsOf(suite);
  const extract = (schema: Record<string, unknown>) => run(suite.browser, 'extract', { schema });

  it('extracts what a schema asks for', async () => {
    await go('/');
    const items = {
      type: 'array',
      'x-selector': '.item',
      items: {
        type: 'object',
        required: ['name'],
        properties: {
          id: { type: 'integer', 'x-selector': ':scope', 'x-attribute': 'data-id' },
          name: { type: 'string', 'x-selector': 'a' },
          link: { type: 'string', 'x-selector': 'a', 'x-attribute': 'href' },
          price: { type: 'number' },
        },
      },
    };
    const found = await extract({ type: 'object', properties: { items } });
    expect(found).to.deep.include({
      matched: true,
      data: {
        items: [
          { id: 7, name: 'Apple', link: `${suite.site.url}/a`, price: 1204.5 },
          { id: 8, name: 'Pear', link: `${suite.site.url}/b`, price: 3 },
        ],
      },
    });
    const none = await extract({ type: 'string', 'x-selector': '#none' });
    expect(none).to.include({ matched: false, data: null });
    expect(none.detail).to.match(/^Nothing on the page matches the schema\./);
    const empty = {
      properties: { list: { type: 'array', 'x-selector': '.none', items: { type: 'string' } } },
    };
    const unlisted = await extract(empty);
    expect(unlisted)
      .to.deep.include({ matched: false, data: { list: [] } })
      .and.have.property('detail');
    const schema = { type: 'object', required: ['gone'], properties: { gone: { type: 'string' } } };
    expect(await failure(extract(schema))).to.include({ category: 'condition_not_met' });
  });

  it('reads a link that leads nowhere as it is written, and the others', async () => {
    await go('/odd-links');
    const links = { type: 'array', 'x-selector': 'a', items: { type: 'string', 'x-attribute': 'href' } };
    const { data } = await extract(links);
    expect(data).to.deep.equal([`${suite.site.url}/a`, 'http://', 'https://exa mple.test']);
  });

  it('infers the type of a schema from its keywords, and uses the page as its root', async () => {
    await go('/next');
    const heading = { properties: { h: { 'x-selector': 'h1' } } };
    expect(await extract(heading)).to.deep.include({ data: { h: 'Next page' } });
    expect(await extract({})).to.include({ data: 'Next page', matched: true });
  });
});
