import { expect } from 'chai';
import type { Browser, Driver } from '../node/driver.ts';
import { failure, launch, run, startDriver } from './testing/browser.ts';
import { servePages, type Pages } from './testing/pages.ts';

/** Fields that copy their text to attributes, as some frameworks do, without an event. */
const page = `<!doctype html><title>.</title><form>
<input id="password" type="password" name="password"><input id="code" autocomplete="one-time-code" name="code">
<input id="note" name="note"><textarea id="text" name="text"></textarea><div id="editor" contenteditable>-</div>
<input id="plain" name="plain"></form><p id="seen">shown</p>
<script>
  for (const field of document.querySelectorAll('input, textarea'))
    field.oninput = () => field.setAttribute('value', field.value);
  let made = 0;
  customElements.define('x-made', class extends HTMLElement { constructor() { super(); made += 1; document.title = made; } });
</script><x-made></x-made>`;

describe('a secret that was typed', () => {
  const secrets = {
    password: 'hunter-one',
    code: '271828',
    note: 'hunter-two',
    text: 'hunter-three',
    editor: 'hunter-four',
  };
  let site: Pages;
  let driver: Driver;
  let browser: Browser;
  before(async () => {
    site = await servePages({ '/': page });
    driver = await startDriver();
    browser = await launch(driver);
    await run(browser, 'navigate', { url: site.url });
    for (const [id, text] of Object.entries(secrets))
      await run(browser, 'interact', {
        action: {
          kind: 'type',
          selector: `#${id}`,
          text,
          clear: true,
          sensitive: !['password', 'code'].includes(id),
        },
      });
    await run(browser, 'interact', { action: { kind: 'type', selector: '#plain', text: 'in the open' } });
  });
  after(async () => {
    await browser.close();
    await driver.close();
    await site.close();
  });

  const extract = async (schema: Record<string, unknown>) =>
    JSON.stringify((await run(browser, 'extract', { schema })).data);
  const text = (selector: string, attribute?: string) => ({
    type: 'string',
    'x-selector': selector,
    ...(attribute !== undefined && { 'x-attribute': attribute }),
  });

  it('is in no extraction: neither as a value, nor as an attribute, nor in the text of an ancestor', async () => {
    const ids = Object.keys(secrets);
    const properties = Object.fromEntries([
      ...ids.map((id) => [id, text(`#${id}`)]),
      ...ids.map((id) => [`${id} attribute`, text(`#${id}`, 'value')]),
      ['form', text('form')],
      ['all', text('body')],
      ['plain', text('#plain')],
      ['seen', text('#seen')],
    ]) as Record<string, unknown>;
    const data = await extract({ type: 'object', properties });
    for (const secret of Object.values(secrets)) expect(data).not.to.contain(secret);
    expect(data).to.contain('in the open').and.to.contain('shown');
  });

  it('is in no snapshot of the document, and pages cannot observe the snapshot', async () => {
    const { data } = await run(browser, 'capture', { kind: 'dom_snapshot' });
    for (const secret of Object.values(secrets)) expect(data).not.to.contain(secret);
    expect(data).to.contain('value="in the open"').and.to.contain('id="editor"');
    expect((await run(browser, 'state_capture', null)).title).to.equal('1');
  });

  it('fulfils no condition and is found by no text', async () => {
    const waits = (wanted: string) =>
      run(browser, 'wait', { condition: { kind: 'text', text: wanted } }, 500);
    for (const secret of Object.values(secrets)) {
      expect((await failure(waits(secret))).category, secret).to.equal('condition_not_met');
      const found = run(browser, 'interact', { action: { kind: 'tap', text: secret } }, 500);
      expect((await failure(found)).category, secret).to.equal('element_not_found');
    }
    expect(await waits('in the open')).to.have.property('matched', true);
    expect(await waits('shown')).to.have.property('matched', true);
  });

  it('is matched by no selector for attributes that it was copied to, in any spelling', async () => {
    const is = (state: 'attached' | 'detached', selector: string) =>
      run(browser, 'wait', { condition: { kind: 'selector', selector, state } }, 2_000);
    for (const [id, secret] of Object.entries(secrets)) {
      const start = secret.slice(0, 2);
      for (const selector of [
        `#${id}[value^="${start}"]`,
        `form:has([VALUE^="${start}"]#${id})`,
        `#${id}[v\\61 lue^="${start}"]`,
        `#${id}:not([value=""]):not(:not([value]))`,
        `form >>> #${id}[value^="${start}"]`,
        `:root #${id}[value^="${start}"] ~ input`,
      ]) {
        expect(await is('detached', selector), selector).to.have.property('matched', true);
        expect(await extract(text(selector, 'name')), selector).to.equal('null');
      }
    }
    for (const selector of [
      '#plain[value^="in the"]',
      ':root form:has([value="in the open"]) > #password[type]',
    ])
      expect(await is('attached', selector), selector).to.have.property('matched', true);
    expect((await run(browser, 'state_capture', null)).title).to.equal('1');
  });
});
