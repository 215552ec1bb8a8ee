import { createServer } from 'node:http';
import { once } from 'node:events';
import { expect } from 'chai';
import { failure, run } from '../../fleet/webkit/testing/browser.ts';
import { withBrowser } from '../../fleet/webkit/testing/suite.ts';
import { until } from '../testbed/index.ts';
import { pageAttacks, type PageAttack } from './page-attacks.ts';

const secret = 'the-secret-of-the-other-origin';
const typed = 'the-secret-that-was-typed';

/**
 * Functions of the attacker's documents: `take` collects loot, `spy` a listener's arguments, with every answer on a port in the
 * message. The page reveals its loot when `#told` asks for it.
 */
const prelude = `<script>{
  const loot = [];
  const keep = (what) => { try { loot.push(typeof what === 'string' ? what : JSON.stringify(what) ?? String(what)); } catch (error) { loot.push('odd'); } };
  window.take = keep;
  window.spy = ({ data, ports = [] }) => {
    keep({ heard: data });
    for (const port of ports) {
      port.onmessage = ({ data: answer }) => keep(answer);
      for (const name of ['html', 'state', 'observe']) port.postMessage({ id: name, name, input: '{"within":1000,"longestText":1000}' });
    }
  };
  const send = fetch.bind(window), every = setInterval.bind(window), { stringify } = JSON, at = location;
  const flush = every(() => { if (at.hash === '#told') { clearInterval(flush); send('/loot', { method: 'POST', body: loot.join('\\n') }); } }, 10);
}</script>`;

async function serveAttacks() {
  const given: string[] = [];
  const addresses: string[] = [];
  const bodyOf = (attack: PageAttack | undefined, name: string, index: string) =>
    (name === 'own' ? attack?.own : attack?.page)
      ?.replaceAll('{{victim}}', `${addresses[1] ?? ''}/victim`)
      .replaceAll(encodeURIComponent('{{victim}}'), encodeURIComponent(`${addresses[1] ?? ''}/victim`))
      .replaceAll('{{own}}', `${addresses[0] ?? ''}/${index}/own`);
  const servers = ['127.0.0.1', '127.0.0.2'].map((host) => {
    const server = createServer((request, reply) => {
      const { pathname } = new URL(request.url ?? '/', 'http://site');
      const [, index = '', name = ''] = pathname.split('/');
      reply.setHeader('content-type', name === '' && index === 'worker.js' ? 'text/javascript' : 'text/html');
      if (index === 'never') return;
      if (index === 'loot')
        return void request.toArray().then((parts) => {
          given.push(Buffer.concat(parts).toString());
          reply.end();
        });
      if (index === 'worker.js')
        return void reply.end(
          `addEventListener('fetch', ({ request }) => clients.matchAll().then((all) => all.forEach((each) => each.postMessage(request.url))))`,
        );
      if (index === 'victim')
        return void reply.end(
          `<p id="s">${secret}</p><input id="i"><script>localStorage.setItem('kept', '${secret}')</script>`,
        );
      reply.end(`<!doctype html>${prelude}<body>${bodyOf(pageAttacks[Number(index)], name, index) ?? ''}`);
    });
    return { host, server };
  });
  for (const { host, server } of servers) {
    await once(server.listen(0, host), 'listening');
    const address = server.address();
    addresses.push(`http://${host}:${typeof address === 'object' && address ? address.port : 0}`);
  }
  return {
    urlOf: (attack: PageAttack) => `${addresses[0] ?? ''}/${pageAttacks.indexOf(attack)}/page`,
    given,
    close: async () => {
      for (const { server } of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

describe('a page that attacks our scripts in it', () => {
  const suite = withBrowser(serveAttacks);

  for (const attack of pageAttacks)
    it(`gets nothing where it ${attack.says}`, async () => {
      const { browser, site } = suite;
      const url = site.urlOf(attack);
      const frame = typeof attack.frame === 'object' ? [...attack.frame] : (attack.frame ?? '#v');
      await run(browser, 'navigate', { url, wait_until: 'domcontentloaded' });
      const limit = attack.fails ? 1_000 : 5_000;
      const read = async () => {
        const condition = { kind: 'selector', selector: '#s', state: 'attached', frame } as const;
        await run(browser, 'wait', { condition }, limit);
        const schema = { type: 'string', 'x-selector': '#s' };
        return (await run(browser, 'extract', { schema, frame }, limit)).data;
      };
      if (attack.fails) expect((await failure(read())).reason).to.match(attack.fails);
      else expect(await (attack.replaces ? until(read) : read())).to.equal(secret);
      if (attack.types)
        await run(browser, 'interact', {
          action: { kind: 'type', selector: '#i', frame, text: typed, sensitive: true },
        });
      site.given.length = 0;
      await run(browser, 'navigate', { url: `${url}#told` });
      const [loot] = await until(() => Promise.resolve(site.given.length > 0 && site.given));
      expect(loot).to.equal('');
    });
});
