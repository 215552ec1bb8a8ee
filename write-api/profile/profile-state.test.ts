import { createHash, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { exportContent, type About } from '../../commands/profile/export-file.ts';
import { archetypeCatalogue } from '../../contracts/archetypes.ts';
import { uuidOf } from '../../contracts/ids.ts';
import type { Tier } from '../../contracts/tiers.ts';
import { keysOf, openExport, packState, sealExport } from '../../infra/profile-states/index.ts';
import { tempDir } from '../../infra/verification/testbed/index.ts';
import { fixedClock, startWriteSide, type WriteSide } from '../testing.ts';

const slug = ({ json }: { json: Record<string, unknown> }) => String(json.type).split('/').at(-1);
const passphrase = 'correct horse';
const about: About = {
  archetype: archetypeCatalogue.default,
  description: 'of mine',
  has_state: true,
};
const cookie = { domain: 'shop.example', name: 'sid', value: '1', path: '/' };
const files: Readonly<Record<string, string | Buffer>> = {
  'manifest.json': JSON.stringify({ format: 'service-profile-state/1', engine: 'simulated' }),
  'cookies.json': JSON.stringify([
    { ...cookie, expires: null },
    { ...cookie, name: 'old', expires: 1000 },
  ]),
  'session-storage.json': '{}',
  'data/local_storage/https_shop.example_0.localstorage': JSON.stringify({
    origin: 'https://shop.example',
    values: { basket: '1' },
  }),
  'data/cache/6f1d/body': randomBytes(50_000),
};

/** An archive, as packed by a node. */
async function anArchive(contents = files): Promise<AsyncIterable<Uint8Array>> {
  const directory = tempDir('state');
  for (const [path, content] of Object.entries(contents)) {
    const file = join(directory, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  return packState(directory);
}

async function bytesOf(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** A file, as exported. */
const sealed = (content: AsyncIterable<Uint8Array>) => bytesOf(sealExport(content, { passphrase }));
const anExport = async (changes: Partial<About> = {}) =>
  sealed(exportContent({ ...about, ...changes }, await anArchive()));

describe('states of profiles over HTTP', () => {
  const clock = fixedClock();
  let side: WriteSide;
  let file: Buffer;
  let token: string;
  let accountId: string;
  before(async () => {
    side = await startWriteSide({ clock });
    file = await anExport();
  });
  after(() => side.close());
  beforeEach(async () => {
    ({ token, accountId } = await account());
  });

  const account = (tier: Tier = 'team') => side.staff.account(tier);
  const call = (address: string, body?: object) => side.call(address, { token, ...(body && { body }) });
  const importing = (data: Buffer, body: object = {}) =>
    call('POST /v1/profiles/import', { name: 'Mine', data: data.toString('base64'), passphrase, ...body });
  const imported = async () => {
    const { status, json, text } = await importing(file);
    expect(status, text).to.equal(201);
    return String(json.id);
  };
  const created = async () => String((await call('POST /v1/profiles', { name: 'Mine' })).json.id);
  const launch = async (id: string) => {
    const answer = await call(`POST /v1/profiles/${id}/launch`);
    expect(answer.status, answer.text).to.equal(201);
    return answer;
  };
  const seedOf = async (id: string) => {
    const [created] = await side.events(`profile-${uuidOf(id)}`);
    return (created?.data as { noiseSeed: string }).noiseSeed;
  };
  const typesOf = async (stream: string) => (await side.events(stream)).map(({ type }) => type);
  const blobsOf = (id: string) => [...side.blobs.stored.keys()].filter((key) => key.startsWith(uuidOf(id)));

  describe('an export', () => {
    const exporting = (id: string, body?: object) => call(`POST /v1/profiles/${id}/export`, body);

    it('is a file that the passphrase opens, and is what it says', async () => {
      const id = await imported();
      const { status, json } = await exporting(id, { passphrase: 'another' });
      expect(status).to.equal(200);
      const data = Buffer.from(String(json.data), 'base64');
      expect(Object.keys(json)).to.have.members(['format', 'data', 'byte_size', 'sha256']);
      expect(json).to.deep.include({ format: 'service-profile/1', byte_size: data.length });
      expect(json.sha256).to.equal(createHash('sha256').update(data).digest('hex'));
      const content = await bytesOf(openExport(bytesIn(data), keysOf('another')));
      expect(content.toString('latin1'))
        .to.contain('"description":"of mine"')
        .and.not.contain(await seedOf(id));
      const recorded = (await side.events(`profile-${uuidOf(id)}`)).at(-1);
      expect(recorded?.type).to.equal('ProfileExported');
      expect(recorded?.data).to.deep.include({ bytes: data.length, sha256: json.sha256 });
    });

    it('has a passphrase of its own where none was given, and another one each time', async () => {
      const id = await imported();
      const [one, other] = [await exporting(id), await exporting(id, {})];
      expect(one.json.passphrase).to.match(/^[A-Za-z0-9]{32}$/);
      expect(other.json.passphrase).to.not.equal(one.json.passphrase);
      const data = Buffer.from(String(one.json.data), 'base64');
      const again = await importing(data, { name: 'Again', passphrase: one.json.passphrase });
      expect(again.status, again.text).to.equal(201);
    });

    it('of a profile that was never saved can be imported too', async () => {
      const { json } = await exporting(await created());
      const data = Buffer.from(String(json.data), 'base64');
      const again = await importing(data, { name: 'Again', passphrase: json.passphrase });
      expect(again.status, again.text).to.equal(201);
      expect(again.json).to.deep.include({ storage_bytes: 0, save_state: 'none' });
    });

    it('is refused while a session has the profile', async () => {
      const id = await imported();
      const { json } = await launch(id);
      const answer = await exporting(id);
      expect([answer.status, slug(answer), answer.json.active_session_id]).to.deep.equal([
        409,
        'profile-in-use',
        json.id,
      ]);
    });

    it('of a state that is missing or damaged is refused, and not recorded', async () => {
      const id = await imported();
      for (const { content } of blobsOf(id).map((key) => side.blobs.stored.get(key) ?? { content: file }))
        content.fill(0, content.length - 10);
      expect(slug(await exporting(id))).to.equal('driver-error');
      blobsOf(id).forEach((key) => side.blobs.stored.delete(key));
      expect(slug(await exporting(id))).to.equal('driver-error');
      expect(await typesOf(`profile-${uuidOf(id)}`)).to.not.include('ProfileExported');
    });
  });

  describe('an import', () => {
    it('is a new profile with the state of the exported one', async () => {
      const { status, json } = await importing(file, { name: 'Theirs' });
      expect(status).to.equal(201);
      expect(json).to.deep.include({
        ...{
          name: 'Theirs',
          archetype: archetypeCatalogue.default,
          description: 'of mine',
          save_state: 'saved',
        },
      });
      expect(json.storage_bytes).to.be.greaterThan(50_000);
      const events = await side.events(`profile-${uuidOf(String(json.id))}`);
      expect(events.map(({ type }) => type)).to.deep.equal(['ProfileCreated']);
      const data = events[0]?.data as { origin: object; state: { census: object } };
      expect(data).to.deep.include({ origin: { kind: 'imported' } });
      expect(data.state.census).to.deep.include({ cookies: 2, origins: 2 });
    });

    it('has noise of its own, unlike that of the exported profile and of another import', async () => {
      const source = await imported();
      const { json } = await call(`POST /v1/profiles/${source}/export`, { passphrase });
      const data = Buffer.from(String(json.data), 'base64');
      const seeds = [await seedOf(source)];
      for (const name of ['One', 'Two'])
        seeds.push(await seedOf(String((await importing(data, { name })).json.id)));
      expect(new Set(seeds)).to.have.property('size', 3);
    });

    /** Types of the events of the account's profiles. */
    const written = async () => [
      ...(await typesOf(`account_profiles-${uuidOf(accountId)}`)),
      side.blobs.stored.size,
    ];

    it('of anything else is refused, and nothing is written', async () => {
      const before = await written();
      const flipped = Buffer.from(file);
      flipped.writeUInt8(flipped.readUInt8(file.length - 40) ^ 1, file.length - 40);
      const attacks: Readonly<Record<string, Buffer>> = {
        noise: randomBytes(1000),
        'a file that was cut': file.subarray(0, file.length - 1),
        'a file that was changed': flipped,
        'another version': Buffer.concat([Buffer.from('service-profile/2\n'), file.subarray(18)]),
        'no profile': await sealed(bytesIn(Buffer.from('{}\n'))),
        'no line': await sealed(bytesIn(randomBytes(100_000))),
        'no archive': await sealed(exportContent(about, bytesIn(randomBytes(1000)))),
        'an archive that is not announced': await anExport({ has_state: false }),
        'an archive that is missing': await sealed(exportContent(about, bytesIn(Buffer.alloc(0)))),
        'an unknown archetype': await anExport({ archetype: 'nokia-3310' }),
      };
      for (const [what, data] of Object.entries(attacks)) {
        const answer = await importing(data);
        const [error] = (answer.json.errors ?? []) as { path: string }[];
        expect([answer.status, slug(answer), error?.path], what).to.deep.equal([
          400,
          'validation-failed',
          '/body/data',
        ]);
      }
      expect(await written()).to.deep.equal(before);
    });

    it('needs the passphrase that it was sealed with', async () => {
      const wrong = await importing(file, { passphrase: 'wrong' });
      expect([wrong.status, slug(wrong)]).to.deep.equal([400, 'validation-failed']);
      const none = await call('POST /v1/profiles/import', { name: 'Mine', data: file.toString('base64') });
      expect([none.status, slug(none)]).to.deep.equal([400, 'validation-failed']);
    });

    it('keeps the rules of names and numbers, and leaves no blob when it breaks them', async () => {
      await imported();
      const before = side.blobs.stored.size;
      expect(slug(await importing(file, { name: 'mine' }))).to.equal('conflict');
      ({ token, accountId } = await account('free'));
      // The free tier allows one profile, and no customer keys.
      await importing(file);
      expect(slug(await importing(file, { name: 'second' }))).to.equal('tier-limit');
      expect(side.blobs.stored.size).to.equal(before + 1);
    });

    it('is refused for its name or as one too many before its passphrase is tried, which costs', async () => {
      await imported();
      const unopened = { passphrase: 'wrong' };
      expect(slug(await importing(file, { ...unopened, name: 'MINE' }))).to.equal('conflict');
      expect(slug(await importing(file, unopened))).to.equal('conflict');
      expect(slug(await importing(file, { ...unopened, name: 'other' }))).to.equal('validation-failed');
      ({ token, accountId } = await account('free'));
      await importing(file);
      expect(slug(await importing(file, { ...unopened, name: 'second' }))).to.equal('tier-limit');
    });
  });

  describe('a trim', () => {
    const trim = (id: string, body?: object) => call(`POST /v1/profiles/${id}/trim`, body);

    it('drops stored responses and expired cookies, and says what that saves', async () => {
      const id = await imported();
      const { status, json } = await trim(id);
      expect(status).to.equal(200);
      expect(Number(json.before_bytes)).to.be.greaterThan(50_000);
      expect(Number(json.after_bytes)).to.be.lessThan(5000);
      const trimmed = (await side.events(`profile-${uuidOf(id)}`)).at(-1);
      const data = trimmed?.data as { state: { generation: number; census: object }; replaces: string };
      expect(data.state.generation).to.equal(2);
      expect(data.state.census).to.deep.include({ cookies: 1, origins: 1 });
      expect(blobsOf(id)).to.include(data.replaces);
    });

    it('keeps what the request selects', async () => {
      const id = await imported();
      await trim(id, { keep: ['cookies'] });
      const data = (await side.events(`profile-${uuidOf(id)}`)).at(-1)?.data;
      expect((data as { state: { census: object } }).state.census).to.deep.include({
        cookies: 1,
        origins: 0,
      });
      const unknown = await trim(id, { keep: ['passwords'] });
      expect([unknown.status, slug(unknown)]).to.deep.equal([400, 'validation-failed']);
    });

    it('of a profile that was never saved changes nothing', async () => {
      expect((await trim(await created())).json).to.deep.equal({ before_bytes: 0, after_bytes: 0 });
    });

    it('is refused while a session has the profile', async () => {
      const id = await imported();
      await launch(id);
      const answer = await trim(id);
      expect([answer.status, slug(answer)]).to.deep.equal([409, 'profile-in-use']);
      expect(blobsOf(id)).to.have.length(1);
    });

    it('of a state that is missing is refused', async () => {
      const id = await imported();
      blobsOf(id).forEach((key) => side.blobs.stored.delete(key));
      expect(slug(await trim(id))).to.equal('driver-error');
    });
  });
});

async function* bytesIn(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}
