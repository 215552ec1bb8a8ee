import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { pseudonymOf } from './pseudonym.ts';
import { base64, noteSigner, treeHash } from './testing.ts';
import { verifyExport } from './verify.mjs';

/** An export of the service, with text of every kind; its hashes are explained in `docs/audit.md`. */
const lines = readFileSync(new URL('export.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');
type Entry = Record<string, unknown>;
const entries = (): Entry[] => lines.map((line) => JSON.parse(line) as Entry);
const at = <T>(list: readonly T[], index: number): T => {
  const found = list[index];
  if (found === undefined) throw new Error(`There is no ${index}.`);
  return found;
};

describe('service/audit', () => {
  it('accepts a valid export', async () => {
    const head = at(entries(), -1 + lines.length).hash;
    expect(await verifyExport(entries())).to.deep.equal({ ok: true, count: lines.length, head });
  });

  it('accepts a stream of entries, and an empty log', async () => {
    async function* pieces() {
      for (const entry of entries()) yield await Promise.resolve(entry);
    }
    expect(await verifyExport(pieces())).to.include({ ok: true, count: lines.length });
    expect(await verifyExport([])).to.deep.equal({ ok: true, count: 0, head: '0'.repeat(64) });
  });

  it('detects every flipped bit of an entry', async () => {
    const line = Buffer.from(at(lines, 0));
    for (let bit = 0; bit < line.length * 8; bit += 1) {
      const flipped = Buffer.from(line);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      const entry = parsed(flipped.toString());
      if (entry === undefined) continue;
      expect(await verifyExport([entry]), flipped.toString()).to.include({ ok: false, sequence: 1 });
    }
  });

  const tampered: Readonly<Record<string, readonly [log: Entry[], sequence: number, reason: RegExp]>> = {
    'a dropped entry': [entries().toSpliced(1, 1), 2, /Entry 3 is in its place/],
    'a dropped first entry': [entries().slice(1), 1, /Entry 2 is in its place/],
    'entries that changed places': [
      entries().with(1, at(entries(), 2)).with(2, at(entries(), 1)),
      2,
      /Entry 3 is in its place/,
    ],
    'an entry twice': [entries().toSpliced(1, 0, at(entries(), 0)), 2, /Entry 1 is in its place/],
    'the entry of another log': [entries().with(1, { ...at(entries(), 1), id: 'aud_other' }), 2, /contents/],
    'a field more': [entries().with(2, { ...at(entries(), 2), more: null }), 3, /contents/],
  };
  for (const [what, [log, sequence, reason]] of Object.entries(tampered))
    it(`names the first invalid entry: ${what}`, async () => {
      const verdict = await verifyExport(log);
      expect(verdict).to.include({ ok: false, sequence });
      expect(verdict.ok ? '' : verdict.reason).to.match(reason);
    });

  it('detects a fork with matching hashes', async () => {
    const [first, second] = [at(entries(), 0), at(entries(), 1)];
    const forked = [first, { ...second, prev_hash: second.hash }];
    const { hash: _hash, ...contents } = at(forked, 1);
    const hash = createHash('sha256').update(canonicalJson(contents)).digest('hex');
    expect(await verifyExport([first, { ...contents, hash }])).to.deep.equal({
      ok: false,
      sequence: 2,
      reason: 'It does not follow the previous entry.',
    });
  });

  it('compares the first entries with signed roots', async () => {
    const heads = lines.map((_, i) => headOf(i + 1));
    expect(await verifyExport(entries(), heads)).to.include({ ok: true });
    const [first, second] = [at(heads, 0), at(heads, 1)];
    expect(await verifyExport(entries(), [{ ...second, root: first.root }])).to.deep.equal({
      ok: false,
      sequence: 2,
      reason: 'The entries up to it differ from the signed ones.',
    });
    expect(await verifyExport(entries().slice(0, 2), heads)).to.deep.equal({
      ok: false,
      sequence: 3,
      reason: 'It is missing: 3 entries were signed.',
    });
  });

  it('rejects input that is no entry', async () => {
    for (const wrong of [null, 'entry', 1, []])
      expect(await verifyExport([wrong]).catch((error: unknown) => error)).to.be.instanceOf(TypeError);
  });

  it('has under 6 kB packed', () => {
    expect(gzipSync(readFileSync(new URL('verify.mjs', import.meta.url))).length).to.be.below(6_000);
  });
});

describe('service-audit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'service-audit-'));
  after(() => rmSync(folder, { recursive: true }));
  const run = async (content: string, ...more: string[]) => {
    const path = join(folder, 'export.jsonl');
    writeFileSync(path, content);
    const cli = fileURLToPath(new URL('cli.mjs', import.meta.url));
    const child = spawn(process.execPath, [cli, 'verify', path, ...more]);
    const [stdout, stderr, [status]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit') as Promise<[number]>,
    ]);
    return { status, said: stdout + stderr };
  };
  const whole = lines.join('\n');
  const second = String(at(entries(), 1).hash);

  it('reports that an export is valid, and that it contains a stored entry', async () => {
    expect(await run(whole)).to.deep.include({ status: 0 });
    expect(await run(whole, '--head', second)).to.deep.include({ status: 0 });
  });

  it('reports what is invalid', async () => {
    expect((await run(lines.slice(1).join('\n'))).said).to.match(
      /^Entry 1 is not valid: Entry 2 is in its place/,
    );
    expect(await run(lines.slice(1).join('\n'))).to.include({ status: 1 });
    expect(await run(at(lines, 0), '--head', second)).to.include({ status: 1 });
  });

  it('checks an export against a signed note and the public tree', async () => {
    const signer = noteSigner('example.com/audit');
    const keep = (name: string, content: string) => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    const noteOf = (size: number, root: string) => signer.note(`example.com/audit/some\n${size}\n${root}\n`);
    const { size, root } = headOf(2);
    const account = String(at(entries(), 0).account_id);
    const salt = Buffer.alloc(32, 1);
    const leaf = { pseudonym: pseudonymOf(account, salt), size, root };
    const publicRoot = base64(treeHash([Buffer.from(`${leaf.pseudonym}\n${size}\n${root}\n`)]));
    const checkpoint = signer.note(`example.com/audit\n1\n${publicRoot}\n`);
    const tree = { leaf_index: 0, size: 1, root: publicRoot, proof: [], checkpoint };
    const note = ['--checkpoint', keep('note', noteOf(size, root))];
    const anchor = ['--anchor', keep('anchor.json', JSON.stringify({ leaf, salt: base64(salt), ...tree }))];
    const keys = ['--keys', keep('keys.json', JSON.stringify({ keys: [{ vkey: signer.vkey }] }))];

    const held = await run(whole, ...note, ...anchor, ...keys);
    expect(held).to.deep.include({ status: 0 });
    expect(held.said).to.contain('the checkpoint of 2 entries is valid\n2 entries are in the public tree\n');
    expect((await run(whole, ...note, ...anchor)).said).to.contain('signers were not checked');
    const answer = keep('answer.json', JSON.stringify({ checkpoint: noteOf(size, root) }));
    expect(await run(whole, '--checkpoint', answer, '--key', signer.vkey)).to.deep.include({ status: 0 });

    const other = keep('other', noteOf(size, headOf(1).root));
    expect(await run(whole, '--checkpoint', other)).to.deep.equal({
      status: 1,
      said: 'Entry 2 is not valid: The entries up to it differ from the signed ones.\n',
    });
    const stranger = ['--key', noteSigner('example.com/audit').vkey];
    const unsigned = await run(whole, ...note, ...anchor, ...stranger);
    expect(unsigned.status).to.equal(1);
    expect(unsigned.said).to.contain('none of the keys has signed');
    expect(await run(whole, '--checkpoint', keep('text', 'no note'))).to.include({ status: 2 });
  });

  it('reports what cannot be checked', async () => {
    const csv = await run('sequence,id\n1,aud_1');
    expect(csv).to.deep.equal({
      status: 2,
      said: 'Line 1 is not JSON. Ask for the export with format=jsonl.\n',
    });
    expect(await run(whole, '--hat', second)).to.include({ status: 2 });
    expect(await run('')).to.deep.equal({
      status: 2,
      said: `${join(folder, 'export.jsonl')} has no entries.\n`,
    });
  });

  it('says in one sentence which file is not of the kind it was given as', async () => {
    const path = join(folder, 'given');
    for (const content of ['', '{}', '{"keys":[]}', '{"keys":[null]}']) {
      writeFileSync(path, content);
      const said = `${path} has no keys. Ask for /.well-known/audit-log/keys.\n`;
      expect(await run(whole, '--keys', path), content).to.deep.equal({ status: 2, said });
    }
    for (const content of ['null', '[]', '{"leaf":null}']) {
      writeFileSync(path, content);
      const said = `${path} is no anchor. Ask for /v1/account/audit-log/anchor.\n`;
      expect(await run(whole, '--anchor', path), content).to.deep.equal({ status: 2, said });
    }
  });
});

/** The head of the first entries. */
function headOf(size: number) {
  const leaves = entries().map(({ hash }) => Buffer.from(String(hash), 'hex'));
  return { size, root: base64(treeHash(leaves.slice(0, size))) };
}

/** Canonical JSON of an entry without unsorted nested objects. */
const canonicalJson = (entry: Entry): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(entry)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, value]) => [name, isObject(value) ? JSON.parse(canonicalJson(value)) : value]),
    ),
  );
const isObject = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(line: string): Entry | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
