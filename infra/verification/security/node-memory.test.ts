import { expect } from 'chai';
import { uuidOf, type SessionId } from '../../../contracts/ids.ts';
import { startDriver } from '../../fleet/webkit/testing/browser.ts';
import { servePages, type Pages } from '../../fleet/webkit/testing/pages.ts';
import { parseAllowList } from '../../outbound/address-policy.ts';
import { startWriteSide, type WriteSide } from '../../../write-api/testing.ts';
import { until } from '../testbed/index.ts';

const MiB = 1024 * 1024;
const pages = {
  '/': '<title>Quiet</title>',
  // In pieces, so that the page stays responsive; not all of the machine's memory.
  '/greedy': `<title>Eats</title><script>
    const kept = [];
    setInterval(() => {
      if (kept.length < 100) kept.push(new Uint8Array(32 * 1024 * 1024).fill(1));
    }, 50);
  </script>`,
};

describe('browsers that together use the memory of a node', function () {
  this.timeout(180_000);
  let site: Pages;
  let side: WriteSide;
  before(async () => {
    site = await servePages(pages);
    // Each alone may use far more.
    const bounds = { memoryBytes: 8192 * MiB };
    const browsers = await startDriver({ bounds, nodeMemory: 400 * MiB });
    side = await startWriteSide({ browsers, allow: parseAllowList('127.0.0.0/8') });
  });
  after(async () => {
    await side.close();
    await site.close();
  });

  const begin = async () => {
    const { token } = await side.staff.account('team');
    const { json } = await side.call('POST /v1/sessions', { token, body: {} });
    const id = String(json.id);
    const open = (path: string) =>
      side.call(`POST /v1/sessions/${id}/navigate`, { token, body: { url: new URL(path, site.url).href } });
    const failures = async () =>
      (await side.events(`session-${uuidOf(id as SessionId)}`)).filter(
        ({ type }) => type === 'SessionErrored',
      );
    return { open, failures };
  };

  it('lose the largest one, as a failed session; the others go on, and so does the node', async () => {
    const [greedy, quiet] = [await begin(), await begin()];
    expect((await quiet.open('/')).status).to.equal(200);
    expect((await greedy.open('/greedy')).status).to.equal(200);
    const [failure] = await until(async () => (await greedy.failures()).length > 0 && greedy.failures(), {
      limitMs: 120_000,
    });
    expect(failure?.data).to.include({ errorName: 'DriverError', reason: 'driver_failure' });
    expect((await quiet.open('/')).status).to.equal(200);
    expect(await quiet.failures()).to.deep.equal([]);
    expect(await side.fleet.takesSessions()).to.equal(true);
    await until(async () => (await side.fleet.place()) !== undefined);
  });
});
