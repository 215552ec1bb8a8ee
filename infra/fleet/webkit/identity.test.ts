import { expect } from 'chai';
import { archetypeCatalogue } from '../../../contracts/archetypes.ts';
import type { Archetype } from '../../../contracts/resources/archetype.ts';
import type { Driver } from '../node/driver.ts';
import { launch, run, startDriver } from './testing/browser.ts';
import { servePages, type Pages } from './testing/pages.ts';

type Answer = string | number | boolean | null | readonly (string | number)[];
type Question = readonly [asked: string, answer: Answer | ((archetype: Archetype) => Answer)];

/** Expressions about the device that a page can evaluate, and their values on an iPhone. */
const questions: readonly Question[] = [
  ['navigator.userAgent', ({ user_agent }) => user_agent],
  ['navigator.appVersion', ({ user_agent }) => user_agent.replace('Mozilla/', '')],
  ['navigator.platform', 'iPhone'],
  ['navigator.vendor', 'Apple Computer, Inc.'],
  ['navigator.product', 'Gecko'],
  ['navigator.productSub', '20030107'],
  ['navigator.webdriver', false],
  ['navigator.standalone', false],
  ['navigator.language', 'en-US'],
  ['navigator.languages', ['en-US']],
  ['navigator.cookieEnabled', true],
  ['navigator.onLine', true],
  ['navigator.hardwareConcurrency', 4],
  ['navigator.deviceMemory ?? null', null],
  ['navigator.maxTouchPoints', 5],
  ['navigator.userAgentData ?? null', null],
  ['typeof navigator.bluetooth', 'undefined'],
  ['typeof navigator.connection', 'undefined'],
  ['typeof window.chrome', 'undefined'],
  ['typeof InstallTrigger', 'undefined'],
  ['screen.width', ({ screen }) => screen.width],
  ['screen.height', ({ screen }) => screen.height],
  ['screen.availWidth', ({ screen }) => screen.width],
  ['screen.availHeight', ({ screen }) => screen.height],
  ['screen.colorDepth', 24],
  ['screen.pixelDepth', 24],
  ['screen.orientation.type', 'portrait-primary'],
  ['window.orientation', 0],
  ['devicePixelRatio', ({ device_pixel_ratio }) => device_pixel_ratio],
  ['innerWidth', ({ viewport }) => viewport.width],
  ['innerHeight', ({ viewport }) => viewport.height],
  ['visualViewport.width', ({ viewport }) => viewport.width],
  ['visualViewport.scale', 1],
  ['matchMedia("(orientation: portrait)").matches', true],
  ['matchMedia("(hover: none)").matches', true],
  ['matchMedia("(hover: hover)").matches', false],
  ['matchMedia("(any-hover: hover)").matches', false],
  ['matchMedia("(pointer: coarse)").matches', true],
  ['matchMedia("(pointer: fine)").matches', false],
  ['matchMedia("(hover: none) and (pointer: coarse)").matches', true],
  ['matchMedia(`(device-width: ${screen.width}px)`).matches', true],
  ['matchMedia(`(-webkit-device-pixel-ratio: ${devicePixelRatio})`).matches', true],
  ['"ontouchstart" in window', true],
  ['"ontouchend" in document.body', true],
  ['typeof TouchEvent', 'function'],
  ['document.createEvent("TouchEvent").type', ''],
  ['Intl.DateTimeFormat().resolvedOptions().locale', 'en-US'],
  ['Intl.NumberFormat().format(1234.5)', '1,234.5'],
  ['gl.getParameter(gl.VENDOR)', 'WebKit'],
  ['gl.getParameter(gl.RENDERER)', 'WebKit WebGL'],
  ['gl.getParameter(info.UNMASKED_VENDOR_WEBGL)', 'Apple Inc.'],
  ['gl.getParameter(info.UNMASKED_RENDERER_WEBGL)', 'Apple GPU'],
  ['/native code/.test(matchMedia.toString())', true],
  ['/native code/.test(Element.prototype.setPointerCapture.toString())', true],
  [
    '/native code/.test(Object.getOwnPropertyDescriptor(Navigator.prototype, "platform").get.toString())',
    true,
  ],
];

const page = `<!doctype html><meta name=viewport content="width=device-width, initial-scale=1"><body><script>
  const gl = document.createElement('canvas').getContext('webgl');
  const info = gl?.getExtension('WEBGL_debug_renderer_info');
  const answers = ${JSON.stringify(questions.map(([asked]) => asked))}.map((asked) => {
    try { return eval(asked); } catch (error) { return String(error); }
  });
  document.body.append(JSON.stringify(answers));
</script>`;

describe('the device identity that pages see', () => {
  let pages: Pages;
  let driver: Driver;
  before(async () => {
    pages = await servePages({ '/': page });
    driver = await startDriver();
  });
  after(async () => {
    await driver.close();
    await pages.close();
  });

  for (const archetype of archetypeCatalogue.archetypes) {
    it(`is consistent for ${archetype.id}`, async () => {
      const browser = await launch(driver, archetype.id);
      try {
        await run(browser, 'navigate', { url: pages.url });
        const { data } = await run(browser, 'extract', { schema: { type: 'string' } });
        const given = JSON.parse(String(data)) as readonly unknown[];
        const answers = questions.map(([asked], index) => [asked, given[index]]);
        const expected = questions.map(([asked, answer]) => [
          asked,
          typeof answer === 'function' ? answer(archetype) : answer,
        ]);
        expect(Object.fromEntries(answers)).to.deep.equal(Object.fromEntries(expected));
      } finally {
        await browser.close();
      }
    });
  }
});
