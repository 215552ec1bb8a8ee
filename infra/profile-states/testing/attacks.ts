import { mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { tempDir } from '../../verification/testbed/index.ts';
import { StateArchiveInvalid, inspectState, unpackState } from '../index.ts';
import { errorOf, tarOf } from './archives.ts';

/** Asserts that it is refused, writes nothing outside of the directory, and takes at most five seconds of CPU time. */
export async function isRefused(make: () => AsyncIterable<Buffer> | Promise<AsyncIterable<Buffer>>) {
  const parent = tempDir('attack');
  const directory = join(parent, 'a', 'b');
  mkdirSync(directory, { recursive: true });
  for (const take of [inspectState, (archive: AsyncIterable<Buffer>) => unpackState(archive, directory)]) {
    const archive = await make();
    const before = process.cpuUsage();
    expect(await errorOf(take(archive))).to.be.instanceOf(StateArchiveInvalid);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000_000).to.be.below(5);
  }
  expect(readdirSync(parent)).to.deep.equal(['a']);
  expect(readdirSync(dirname(directory))).to.deep.equal(['b']);
}

/** An entry with a header that the packer would not write, with a valid checksum. */
export const forged = async (change: (header: Buffer) => void, content?: Buffer): Promise<Buffer> =>
  forge(await tarOf([{ name: 'data/forged', content: 'x' }]), change, content);

export function forge(
  tar: Buffer,
  change: (header: Buffer) => void,
  content: Buffer = Buffer.alloc(512),
): Buffer {
  const header = Buffer.from(tar.subarray(0, 512));
  change(header);
  header.fill(' ', 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, content]);
}
