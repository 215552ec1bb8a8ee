import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { processesOf } from '../../fleet/webkit/processes.ts';
import { startDriver } from '../../fleet/webkit/testing/browser.ts';
import { parseAllowList } from '../../outbound/address-policy.ts';
import { createOutboundGuard } from '../../outbound/guard.ts';
import { lookupAll } from '../../outbound/lookup.ts';
import { createInternalAddresses } from '../../outbound/internal-addresses.ts';
import { freePort } from '../../platform/free-port.ts';
import { tempDir, until } from '../testbed/index.ts';
import { insidersOf, listeningPorts, type Insider } from './browser-insides.ts';
import { startIsolationSite, type IsolationSite } from './isolation-site.ts';
import { outcomeOf, startWholeService, type WholeService } from './whole-service.ts';

/** A new account's session with the site open. */
interface Person {
  readonly token: string;
  readonly session: string;
}

/** Places where a page can store a text. */
const stores = {
  cookie: 'cookies',
  local: 'local storage',
  session: 'session storage',
  indexed: 'indexed databases',
  cache: 'cache storage',
  worker: 'service workers',
};

describe('what the browser of one account reveals to that of another', () => {
  const runtimeDir = tempDir('webkit');
  let site: IsolationSite;
  let service: WholeService;
  let nodePort: number;
  let portsOfAda: readonly number[];
  let ada: Person;
  let bob: Person;

  const call = async ({ token, session }: Person, operation: string, body: object) =>
    service.call(`POST /v1/sessions/${session}/${operation}`, { token, body });
  const must = async (person: Person, operation: string, body: object) => {
    const answer = await call(person, operation, body);
    expect(outcomeOf(answer), JSON.stringify(answer.json)).to.equal(200);
    return answer.json;
  };
  const interact = (person: Person, action: object) => must(person, 'interact', { action });
  const press = (person: Person, key: string) =>
    interact(person, { kind: 'press', key, modifiers: ['ctrl'] });
  const text = async (person: Person, selector: string) =>
    String((await must(person, 'extract', { schema: { type: 'string', 'x-selector': selector } })).data);
  /** Once the page has an answer. */
  const shown = (person: Person) =>
    until(async () => {
      const out = await text(person, '#out');
      return !['', 'null', '…'].includes(out) && out;
    });
  const open = (person: Person, path = '') => must(person, 'navigate', { url: `${site.url}/?${path}` });
  const tap = async (person: Person, selector: string) => {
    await interact(person, { kind: 'tap', selector });
    return shown(person);
  };
  const fill = (person: Person, content: string) =>
    interact(person, { kind: 'type', selector: '#text', text: content, clear: true });
  const paste = async (person: Person) => {
    await interact(person, { kind: 'clear', selector: '#other' });
    await interact(person, { kind: 'focus', selector: '#other' });
    await press(person, 'v');
  };
  const kept = async (person: Person, store: string, verb: 'put' | 'get', content = '') => {
    await open(person, `${randomBytes(4).toString('hex')}#/${store}/${verb}/${content}`);
    return shown(person);
  };
  const secret = (): string => `secret-${randomBytes(6).toString('hex')}`;

  async function newcomer(): Promise<Person> {
    const { token } = await service.staff.account('enterprise');
    const created = await service.call('POST /v1/sessions', { token, body: {} });
    return { token, session: String(created.json.id) };
  }
  /** An additional session, for the duration of the work. */
  async function withAnother(work: (another: Person) => Promise<void>): Promise<void> {
    const another = await newcomer();
    try {
      await work(another);
    } finally {
      await service.call(`DELETE /v1/sessions/${another.session}`, { token: another.token });
    }
  }
  /** Both sessions and the pool. */
  const insiders = (): Promise<Insider[]> => insidersOf(runtimeDir, 3);

  before(async () => {
    site = await startIsolationSite();
    nodePort = await freePort();
    const before = listeningPorts([process.pid]);
    const browsers = await startDriver({
      ...{ runtimeDir, poolSize: 1 },
      guard: createOutboundGuard({
        allow: parseAllowList('127.0.0.0/8'),
        internal: createInternalAddresses({ own: [`127.0.0.1:${nodePort}`], lookup: lookupAll }),
      }),
    });
    const started = listeningPorts([process.pid, ...processesOf(runtimeDir)]);
    portsOfAda = [...started].filter((port) => !before.has(port));
    const allow = parseAllowList('127.0.0.0/8');
    service = await startWholeService({ browsers, nodePort, allow, storeDeadlineMs: 15_000 });
    // The first one gets the browser of the pool.
    [ada, bob] = [await newcomer(), await newcomer()];
  });
  after(async () => {
    await service.close();
    await site.close();
    expect(processesOf(runtimeDir)).to.deep.equal([]);
  });
  beforeEach(() => Promise.all([open(ada), open(bob)]));

  it('is not the clipboard that a page writes to', async () => {
    const content = secret();
    await fill(ada, content);
    expect(await tap(ada, '#write')).to.equal('done');
    expect(await tap(ada, '#read')).to.equal(content);
    expect(await tap(bob, '#read')).not.to.include(content);
  });

  it('is not what a page copies by command', async () => {
    const content = secret();
    await fill(ada, content);
    expect(await tap(ada, '#copy')).to.equal('done');
    await paste(bob);
    expect(await text(bob, '#other')).to.equal('');
    await paste(ada);
    await until(async () => (await text(ada, '#other')) === content);
  });

  it('is not what keys copy: ctrl c in one is not ctrl v in the other', async () => {
    const content = secret();
    await fill(ada, content);
    await press(ada, 'a');
    await press(ada, 'c');
    await paste(bob);
    expect(await text(bob, '#other')).to.equal('');
    await paste(ada);
    await until(async () => (await text(ada, '#other')) === content);
  });

  it('is not the selection, which an X server offers to all its clients', async () => {
    const content = secret();
    await fill(ada, content);
    await press(ada, 'a');
    const readSelection =
      `gjs -c "imports.gi.versions.Gtk = '3.0'; const {Gdk, Gtk} = imports.gi; Gtk.init(null); ` +
      `print(Gtk.Clipboard.get(Gdk.Atom.intern('PRIMARY', false)).wait_for_text())"`;
    const seen = await Promise.all((await insiders()).map(({ run }) => run(readSelection)));
    expect(seen.filter((each) => each === content)).to.have.length(1);
  });

  it('is not the focus: all pages have it at once, and none takes it from another', () =>
    withAnother(async (another) => {
      const everyone = [ada, bob, another];
      await open(another);
      for (const person of everyone) await interact(person, { kind: 'tap', selector: '#text' });
      for (const person of everyone) await interact(person, { kind: 'press', key: 'x' });
      for (const person of everyone) {
        const condition = { kind: 'selector', selector: '#text:focus' };
        expect(await must(person, 'wait', { condition })).to.include({ matched: true });
        expect(await text(person, '#focused')).to.equal('true,text,text');
        expect(await text(person, '#log')).to.equal('field focus;');
      }
    }));

  for (const [store, name] of Object.entries(stores))
    it(`is nothing of its ${name}`, async () => {
      const content = secret();
      await kept(ada, store, 'put', content);
      expect(await kept(ada, store, 'get')).to.include(content);
      expect(await kept(bob, store, 'get')).to.equal('nothing');
    });

  it('is no cached answer of a site that the other has fetched', async () => {
    const fetched = await kept(ada, 'http', 'get');
    expect(fetched).to.include('answer');
    expect(await kept(bob, 'http', 'get')).not.to.equal(fetched);
  });

  it('is no port: a browser has none on the machine, and the node’s are refused, even if loopback is open', async () => {
    expect(portsOfAda).to.deep.equal([]);
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]']) {
      await must(bob, 'navigate', { url: `http://${host}:${site.port}/` });
      const refused = await call(bob, 'navigate', { url: `http://${host}:${nodePort}/status` });
      expect(outcomeOf(refused), host).to.equal('driver-error');
    }
  });

  describe('when its page has broken out of WebKit', () => {
    it('is none of its processes', async () => {
      for (const { directory, run } of await insiders()) {
        const owners = await run(
          "cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep ^SERVICE_BROWSER= | sort -u",
        );
        expect(owners).to.equal(`SERVICE_BROWSER=${directory}`);
        expect(await run('cat /proc/[0-9]*/comm')).not.to.include('node');
      }
    });

    it('is none of its files, nor of the node’s', async () => {
      for (const { directory, run } of await insiders()) {
        expect(await run(`ls -d ${runtimeDir}/*`)).to.equal(directory);
        expect(await run(`ls ${directory}`)).to.include('state');
        expect(await run(`cat ${process.cwd()}/package.json`)).to.equal('');
        expect(await run('ls /home /root /var/lib /run')).to.equal('');
      }
    });

    it('is nothing in /tmp or in shared memory', async () => {
      const name = `left-${randomBytes(6).toString('hex')}`;
      const all = await insiders();
      for (const { directory, run } of all)
        await run(`for at in /tmp /dev/shm; do echo ${directory} >> $at/${name}; done; ipcmk --queue`);
      for (const { directory, run } of all) {
        expect(await run(`cat /tmp/${name} /dev/shm/${name}`)).to.equal(`${directory}\n${directory}`);
        expect(await run('ipcs -q | grep -c 0x')).to.equal('1');
      }
    });

    it('is no port of another process: the only way out is its own proxy', async () => {
      const reach = (port: number) => `(exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null && echo reached`;
      for (const { directory, run } of await insiders()) {
        expect(await run("tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '")).to.equal('lo');
        for (const port of [site.port, nodePort, service.port]) expect(await run(reach(port))).to.equal('');
        const own = await run('grep -ao \'"proxy":{[^}]*\' /proc/[0-9]*/environ');
        const [, proxyPort = ''] = /"proxy":\{"socket":"[^"]*","port":(\d+)/.exec(own) ?? [];
        expect(await run(reach(Number(proxyPort))), directory).to.equal('reached');
      }
    });
  });
});
