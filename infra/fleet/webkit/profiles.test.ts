import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { toId } from '../../../contracts/ids.ts';
import type { StateCensus } from '../../../contracts/profile-state.ts';
import type { Cookie } from '../../../contracts/resources/session.ts';
import { inspectState, packFiles, readState, stateFormat } from '../../profile-states/index.ts';
import { tempDir, until } from '../../verification/testbed/index.ts';
import { startStates } from '../testing/states.ts';
import { StateNotLeft, type Browser, type Driver } from '../node/driver.ts';
import { kill, processesOf } from './processes.ts';
import { ask, launch, run, startDriver } from './testing/browser.ts';
import { startProfileSite, type ProfileSite } from './testing/profile-site.ts';

const profile = { profileId: toId('profile', randomUUID()), noiseSeed: 'c2VlZA' };
const inAYear = (Math.floor(Date.now() / 1000) + 365 * 24 * 3_600) * 1000;
const whole = { value: 'a=b', path: '/', expires: inAYear, httpOnly: false, secure: false };
/** Cookies of each kind. Those of the site are set by its pages. */
const cookies: readonly Required<Cookie>[] = [
  { ...whole, domain: '.example.test', name: 'wide', secure: true, sameSite: 'None' },
  { ...whole, domain: 'example.test', name: 'narrow', value: '', path: '/in', sameSite: 'Lax' },
  { ...whole, domain: 'example.test', name: 'session', expires: null, httpOnly: true, sameSite: 'Strict' },
];
const byName = (jar: readonly Cookie[]) => [...jar].sort((a, b) => (a.name < b.name ? -1 : 1));

/** An archive of a state with these cookies and this session storage by origin, and nothing else. */
function stateOf({ cookies: jar = [], sessions = {} }: Held): Readable {
  const files = [
    ['manifest.json', { format: stateFormat, engine: 'webkitgtk' }],
    ['cookies.json', jar],
    ['session-storage.json', sessions],
  ] as const;
  return packFiles(
    (async function* () {
      for (const [path, value] of files) {
        const bytes = Buffer.from(JSON.stringify(value));
        yield { path, bytes: bytes.length, writtenAt: new Date(), content: Readable.from([bytes]) };
      }
    })(),
  );
}

interface Held {
  readonly cookies?: readonly Cookie[];
  readonly sessions?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

describe('a profile of the webkit driver', () => {
  const [herePath, therePath] = [tempDir('here'), tempDir('there')];
  let here: Driver;
  /** Another node, which has its own directory. */
  let there: Driver;
  let site: ProfileSite;
  let other: ProfileSite;
  before(async () => {
    [site, other] = await Promise.all([startProfileSite(), startProfileSite()]);
    here = await startDriver({ runtimeDir: herePath });
    there = await startDriver({ runtimeDir: therePath, poolSize: 1 });
  });
  after(async () => {
    await Promise.all([here.close(), there.close(), site.close(), other.close()]);
  });

  const begin = (driver: Driver, state?: Buffer): Promise<Browser> =>
    launch(driver, undefined, { profile: { ...profile, ...(state && { state: Readable.from([state]) }) } });
  /** The page's title once its script is done. */
  const at = async (browser: Browser, url: string): Promise<unknown> => {
    await run(browser, 'navigate', { url });
    await run(browser, 'wait', { condition: { kind: 'selector', selector: '#said' } });
    const { data } = await run(browser, 'extract', { schema: { type: 'string', 'x-selector': '#said' } });
    return JSON.parse(String(data));
  };
  /** The archive of the state that the browser leaves. */
  const leave = async (browser: Browser): Promise<Buffer> => {
    const left = await browser.leave();
    const archive = await buffer(left.archive());
    await left.remove();
    return archive;
  };

  describe('whose session was ended', () => {
    let jar: readonly Cookie[];
    let census: StateCensus;
    let state: Buffer;
    let leftOver: string[];
    let next: Browser;
    before(async () => {
      const first = await begin(here);
      await ask(first, 'cookies_set', { cookies: [...cookies] });
      await at(first, `${other.url}/draft`);
      await at(first, `${site.url}/write`);
      jar = (await ask(first, 'cookies', null)).cookies;
      const left = await first.leave();
      [census, leftOver] = [left.census, readdirSync(herePath)];
      expect(readdirSync(join(herePath, leftOver[0] ?? ''))).to.deep.equal(['state']);
      state = await buffer(left.archive());
      expect(await inspectState(left.archive()), 'packed again').to.deep.equal(left.census);
      await left.remove();
      next = await begin(there, state);
    });
    after(() => next.close());

    it('leaves no process, and no file once the state has been removed', () => {
      expect(leftOver).to.have.length(1);
      expect(readdirSync(herePath)).to.deep.equal([]);
      expect(processesOf(herePath)).to.deep.equal([]);
    });

    it('has a census of its cookies and parts', () => {
      expect(census.cookies).to.equal(6);
      for (const [part, bytes] of Object.entries(census.parts)) expect(bytes, part).to.be.above(0);
    });

    it('has its cookies again, with all of their attributes', async () => {
      const restored = (await ask(next, 'cookies', null)).cookies;
      expect(byName(restored)).to.deep.equal(byName(jar));
      expect(restored).to.deep.include.members([...cookies]);
    });

    it('has local storage, IndexedDB, cache and session storage again, and its service worker answers', async () => {
      expect(await at(next, `${site.url}/read`)).to.deep.equal({
        theme: 'dark é',
        draft: 'half \u{1F600} a "sentence"',
        length: '3',
        same: true,
        cached: 'from the cache',
        controlled: true,
        offline: 'from the cache',
      });
      expect(site.cookies()).to.equal('kept=1; session=2');
    });

    it("restores the session storage of an origin that had left it, once, and no other's", async () => {
      const draft = `of ${new URL(other.url).port}`;
      expect(await at(next, `${site.url}/drafts`)).not.to.include({ draft });
      expect(await at(next, `${other.url}/forget`)).to.equal(draft);
      expect(await at(next, `${other.url}/drafts`)).to.deep.equal({});
    });

    it('keeps the data of sites that the second session does not visit', async () => {
      const again = await begin(here, await leave(await begin(here, state)));
      expect(await at(again, `${other.url}/forget`)).to.equal(`of ${new URL(other.url).port}`);
      expect(await at(again, `${site.url}/read`)).to.include({
        draft: 'half \u{1F600} a "sentence"',
        same: true,
      });
      expect((await ask(again, 'cookies', null)).cookies).to.deep.include.members([...cookies]);
      const last = await begin(here, await leave(again));
      expect(await at(last, `${other.url}/drafts`), 'what was forgotten').to.deep.equal({});
      await last.close();
    });

    it('is not saved when a site that the session did not visit has lost its files', async () => {
      const losing = await begin(here, state);
      await at(losing, `${site.url}/drafts`);
      const [directory = ''] = readdirSync(herePath);
      const storage = join(herePath, directory, 'state/data/local_storage');
      const name = `http_127.0.0.1_${new URL(other.url).port}.localstorage`;
      expect(readdirSync(storage)).to.include(name);
      rmSync(join(storage, name));
      const failure: unknown = await losing.leave().catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(StateNotLeft).and.to.include({ reason: 'degenerate_dump' });
      expect(readdirSync(herePath)).to.deep.equal([]);
    });

    it('may be saved without the data of a site that the session visited', async () => {
      const clearing = await begin(here, state);
      expect(await at(clearing, `${other.url}/clear`)).to.equal(0);
      expect((await clearing.leave()).census.parts.local_storage).to.be.above(0);
    });
  });

  it('keeps what a page wrote at the very end', async () => {
    const browser = await begin(there);
    await at(browser, `${site.url}/last-word?goodbye`);
    const next = await begin(there, await leave(browser));
    expect(await at(next, `${site.url}/word`)).to.equal('?goodbye');
    await next.close();
  });

  it('has thousands of cookies', async () => {
    const many = Array.from({ length: 3_000 }, (_, index) => ({
      ...{
        domain: `site${index % 50}.test`,
        name: `cookie${index}`,
        value: 'v'.repeat(100),
        expires: inAYear,
      },
    }));
    const browser = await begin(there, await buffer(stateOf({ cookies: many })));
    const next = await begin(there, await leave(browser));
    expect((await ask(next, 'cookies', null)).cookies).to.have.length(3_000);
    await next.close();
  });

  it('keeps the cookies of other sites when a page sets more than fit', async () => {
    const browser = await begin(there);
    await ask(browser, 'cookies_set', { cookies: [...cookies] });
    await at(browser, `${site.url}/hoard`);
    const jar: Cookie[] = [];
    for await (const file of readState(Readable.from([await leave(browser)])))
      jar.push(...(file.cookies ?? []));
    expect(jar).to.deep.include.members([...cookies]);
    expect(jar).to.have.length.within(1_900, 2_199);
  });

  it('is left without loading a page again, also with several tabs', async () => {
    const browser = await begin(here);
    await at(browser, `${site.url}/opener`);
    await run(browser, 'interact', { action: { kind: 'tap', selector: 'a' } });
    await run(browser, 'wait', { condition: { kind: 'selector', selector: '#said' } });
    const before = site.asked('/opener');
    await leave(browser);
    expect(site.asked('/opener')).to.equal(before);
  });

  it('has what fits of a session storage that is too large, once', async () => {
    const sessions = { [site.url]: { a: '1', large: 'x'.repeat(6 * 1024 * 1024), z: '2' } };
    const browser = await begin(there, await buffer(stateOf({ sessions })));
    expect(await at(browser, `${site.url}/drafts`)).to.deep.equal({ a: '1', z: '2' });
    expect(await at(browser, `${site.url}/forget`), 'it has no draft').to.equal('done');
    expect(await at(browser, `${site.url}/drafts`)).to.deep.equal({});
    await browser.close();
  });

  it('does not start on a state that is damaged, and leaves nothing of it', async () => {
    const empty = readdirSync(herePath);
    const failure = await begin(here, Buffer.from('no archive')).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).to.be.instanceOf(Error);
    expect(readdirSync(herePath)).to.deep.equal(empty);
  });

  it('is not saved when the browser does not answer, and nothing is left', async () => {
    const browser = await begin(here);
    processesOf(herePath).forEach(kill);
    const failure: unknown = await browser.leave().catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(StateNotLeft).and.to.include({ reason: 'serialize_failed' });
    expect(readdirSync(herePath)).to.deep.equal([]);
  });

  it('is sent by its node, out of reach of other browsers, and nothing of it is left there', async () => {
    const path = tempDir('node-browsers');
    const world = await startStates();
    try {
      const driver = await startDriver({ runtimeDir: path });
      const on = await world.addNode({ driver });
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      const { save } = world.states;
      world.states.save = async (...of) => {
        await held;
        return save(...of);
      };
      const { session } = await on.create(profile.profileId);
      await on.visit(session, `${site.url}/write`);
      await on.destroy(session);
      const [left = ''] = readdirSync(path);
      const bystander = await on.create(undefined);
      const [own = ''] = readdirSync(path).filter((entry) => entry !== left);
      // The root directory of a process of the other browser.
      const seen = processesOf(join(path, own)).map((pid) => readdirSync(join(`/proc/${pid}/root`, path)));
      expect(seen).to.deep.include([own]);
      expect(
        seen.flat().filter((entry) => entry === left),
        'but for what holds the namespace',
      ).to.have.length(1);
      await on.destroy(bystander.session);
      release();
      await until(() => readdirSync(path).length === 0);
      const next = await on.create(profile.profileId, () => Readable.from([world.sent[0]?.archive ?? '']));
      await on.visit(next.session, `${site.url}/drafts`);
      await until(async () => JSON.stringify(await on.read(next.session, '#said')).includes('sentence'));
    } finally {
      await world.stop();
    }
  });
});
