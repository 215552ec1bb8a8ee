import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Archetype } from '../../../contracts/resources/archetype.ts';

/** What a browser is made for and keeps for life; the rest of an identity it takes later. */
export type Device = Pick<Archetype, 'screen' | 'device_pixel_ratio'>;

/** The X server of one browser, as the browser's host starts it. Clipboard, selections and focus are a display's, so nobody shares one. */
export interface Display {
  /** Writes the number of the display to its standard output once it listens. */
  readonly command: readonly string[];
  /** `XAUTHORITY` for those who draw on it. */
  readonly environment: Readonly<Record<string, string>>;
}

/** It listens on a unix socket only, wants a cookie that is written to the browser's directory, and ends with its last client. */
export async function prepareDisplay(binary: string, directory: string, device: Device): Promise<Display> {
  const authority = join(directory, 'authority');
  await writeFile(authority, authorityFile(randomBytes(16)), { mode: 0o600 });
  return {
    command: [
      ...[binary, '-displayfd', '1', '-terminate', '-auth', authority, '-screen', '0', screenOf(device)],
      ...['-nolisten', 'tcp', '-nolisten', 'local'],
      // It would load Mesa and LLVM, three quarters of the memory and half of the start, for a browser that draws without it.
      ...['-extension', 'GLX'],
    ],
    environment: { XAUTHORITY: authority },
  };
}

/** The device's, in its own pixels: media queries read it. A window may be larger, as one is that takes another identity. */
const screenOf = ({ screen, device_pixel_ratio: ratio }: Device): string =>
  `${screen.width * ratio}x${screen.height * ratio}x24`;

/** One MIT-MAGIC-COOKIE-1 entry for any address, in the format of Xau(3): big-endian lengths before each part. */
function authorityFile(cookie: Buffer): Buffer {
  const anyAddress = Buffer.from([0xff, 0xff]);
  const part = (content: Buffer) => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(content.length);
    return Buffer.concat([length, content]);
  };
  const empty = Buffer.alloc(0);
  const name = Buffer.from('MIT-MAGIC-COOKIE-1');
  return Buffer.concat([anyAddress, part(empty), part(empty), part(name), part(cookie)]);
}
