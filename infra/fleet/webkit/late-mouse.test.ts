import { expect } from 'chai';
import { archetypeCatalogue, findArchetype } from '../../../contracts/archetypes.ts';
import { Type, closed, nullable } from '../../../contracts/schema.ts';
import { parseAllowList } from '../../outbound/address-policy.ts';
import { createOutboundGuard } from '../../outbound/guard.ts';
import { tempDir } from '../../verification/testbed/index.ts';
import { limitsOf } from '../node/driver.ts';
import { Uploads } from '../node/uploads.ts';
import { shape } from '../shape.ts';
import { usualBounds, watchBounds } from './bounds.ts';
import { shareAttention } from './attention.ts';
import { noControlGroups } from './control-groups.ts';
import { startInstance, type Instance } from './instance.ts';
import { namespacesRefused } from './namespaces.ts';
import { pressElement } from './operations/press.ts';
import { openPage } from './open-page.ts';
import type { Page } from './page.ts';
import { debianBinaries } from './requirements.ts';
import { logger } from './testing/browser.ts';
import { servePages, type Pages } from './testing/pages.ts';

const aimed = shape(Type.Object({ point: closed({ x: Type.Number(), y: Type.Number() }) }));
const verdict = shape(nullable(Type.Object({ arrived: Type.Boolean() })));

/** The title lists the events that fired. Nothing covers `#after`. */
const page = (
  touched: string,
  lifted = '',
) => `<!doctype html><meta name="viewport" content="width=device-width"><title>.</title>
<div id="of"><button id="b" autofocus ontouchstart="log('touched'); ${touched}" ontouchend="${lifted}" onclick="log('clicked')">Next</button></div>
<button id="after" onclick="log('after')">After</button>
<script>
  const log = (word) => { document.title += ' ' + word; };
  const putOther = () => { of.innerHTML = '<button onclick="log(\\'finished\\')">Finish</button>'; };
</script>`;

describe('the mouse events of a tap that follow its verdict', () => {
  let site: Pages;
  let instance: Instance;
  let browser: Page;
  before(async () => {
    site = await servePages({
      '/stays': page(''),
      '/replaced': page('putOther()'),
      '/replaced-late': page('', 'putOther()'),
    });
    const device = findArchetype(archetypeCatalogue.default);
    if (!device) throw new Error('The catalogue has no default.');
    const directory = tempDir('late');
    instance = await startInstance({
      binaries: debianBinaries,
      guard: createOutboundGuard({ allow: parseAllowList('127.0.0.0/8') }),
      logger,
      startMs: 30_000,
      bounds: watchBounds(usualBounds, logger),
      controlGroups: noControlGroups,
      attend: shareAttention(),
      directory,
      device,
      ownPorts: new Set(),
      namespaces: (await namespacesRefused(debianBinaries.bubblewrap, { directory })) === undefined,
      sandbox: process.getuid?.() !== 0,
    });
    await instance.host.send('identify', { ...device, noise_seed: null });
    browser = openPage(instance, new Uploads(tempDir('uploads')));
  });
  after(async () => {
    await instance.close();
    await site.close();
  });

  const limits = () => limitsOf(10_000);
  const told = async () => (await browser.state(limits())).title;
  const until = async (word: string): Promise<void> => {
    while (!(await told()).endsWith(word));
  };

  /** Gets the verdict while the finger is still down, then lifts the finger. */
  async function judgedEarly(path: string): Promise<boolean> {
    await browser.load(new URL(path, site.url).href, { waitUntil: 'load' }, limits());
    const input = { frame: [], target: { selector: '#b' } };
    const { point } = await browser.run('aim', input, aimed, limits());
    const lift = new AbortController();
    const steps = [{ type: 'down', ...point }, { type: 'pause', ms: 9_000 }, { type: 'up' }] as const;
    const finger = browser.finger(steps, { ...limits(), signal: lift.signal });
    const isLifted = finger.then(
      () => false,
      () => true,
    );
    await until('touched');
    const came = await browser.run('verdict', { frame: [], expectsClick: true }, verdict, limits());
    lift.abort();
    expect(await isLifted).to.equal(true);
    await instance.host.idle();
    return came?.arrived ?? true;
  }
  const tap = (selector: string) =>
    pressElement(browser, 'tap', { frame: [], target: { selector } }, limits());

  for (const [where, path, arrived] of [
    ['if the tap has not arrived', '/stays', false],
    ['to an element with which the page has replaced the target', '/replaced', true],
    [
      'to an element with which the page replaces the target when the finger is lifted',
      '/replaced-late',
      false,
    ],
  ] as const)
    it(`do nothing ${where}`, async () => {
      expect(await judgedEarly(path)).to.equal(arrived);
      await tap('#after');
      await until('after');
      expect(await told()).to.equal('. touched after');
    });

  it('do not suppress the click of a key', async () => {
    expect(await judgedEarly('/stays')).to.equal(false);
    await browser.keys([{ type: 'press', key: 'Return' }], limits());
    await until('clicked');
    await tap('#after');
    await until('after');
    expect(await told()).to.equal('. touched clicked after');
  });
});
