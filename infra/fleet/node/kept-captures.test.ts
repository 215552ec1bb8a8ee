import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { toId, type CaptureId } from '../../../contracts/ids.ts';
import type { CaptureResult } from '../../../contracts/resources/session.ts';
import { tempDir } from '../../verification/testbed/index.ts';
import { KeptCaptures } from './kept-captures.ts';

const mebibyte = 1024 * 1024;
const newId = (): CaptureId => toId('capture', randomUUID());
const captured = (content: string | Buffer): CaptureResult => {
  const bytes = Buffer.from(content);
  const data = bytes.toString('base64');
  return { kind: 'screenshot', data, encoding: 'base64', byte_size: bytes.length, duration_ms: 5 };
};

describe('the captures that a session keeps', () => {
  let directory: string;
  let captures: KeptCaptures;
  beforeEach(() => {
    directory = join(tempDir('captures'), 'one');
    captures = new KeptCaptures(directory);
  });

  it('are returned unchanged, and their results have no content', async () => {
    const id = newId();
    const snapshot: CaptureResult = {
      ...{ kind: 'dom_snapshot', data: '<p>\u00fc\n</p>', encoding: 'utf8', byte_size: 10, duration_ms: 1 },
    };
    expect(await captures.keep(id, snapshot)).to.deep.equal({ ...snapshot, data: '' });
    expect(await captures.find(id)).to.deep.equal(snapshot);
  });

  it('are the newest twenty only', async () => {
    const ids = Array.from({ length: 22 }, newId);
    for (const id of ids) await captures.keep(id, captured(id));
    const kept = await Promise.all(ids.map(async (id) => (await captures.find(id)) !== null));
    expect(kept).to.deep.equal(ids.map((_, index) => index >= 2));
    expect(readdirSync(directory).length).to.equal(20);
  });

  it('have at most 64 MiB together: the oldest are dropped', async () => {
    const [first, second, third] = [newId(), newId(), newId()];
    await captures.keep(first, captured(Buffer.alloc(30 * mebibyte)));
    await captures.keep(second, captured(Buffer.alloc(34 * mebibyte)));
    expect(await captures.find(first)).not.to.equal(null);
    await captures.keep(third, captured('x'));
    expect(await captures.find(first)).to.equal(null);
    expect(await captures.find(second)).not.to.equal(null);
    expect(readdirSync(directory)).to.have.members([second, third]);
  });

  it('are replaced by one of the same id', async () => {
    const id = newId();
    await captures.keep(id, captured('before'));
    await captures.keep(id, captured('after'));
    expect((await captures.find(id))?.data).to.equal(captured('after').data);
  });

  it('are removed with the session, even one that was being stored when it ended', async () => {
    const [before, late] = [newId(), newId()];
    await captures.keep(before, captured('x'));
    const keeping = captures.keep(late, captured(Buffer.alloc(mebibyte)));
    await captures.remove();
    await keeping;
    expect(await captures.find(before)).to.equal(null);
    expect(await captures.find(late)).to.equal(null);
    expect(existsSync(directory)).to.equal(false);
  });
});
