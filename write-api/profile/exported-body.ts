import { Readable } from 'node:stream';
import { exportFormat } from '../../contracts/resources/profile.ts';
import { base64Of } from '../../infra/platform/base64.ts';
import { systemAfter, type After } from '../../infra/platform/clock.ts';
import type { Spooled } from '../../infra/platform/spool.ts';

/** The longest time in which an export may be read, in milliseconds. Its import must be sent within the same time. */
const readWithinMs = 6 * 60_000;
/** How often is looked, in that time, whether its part of the file has been read. */
const looks = 12;

/**
 * `ExportedProfile`, written while the file is read, which is closed at the end. Ends with an error as soon as its reader is behind the pace
 * that it needs: until then the file takes room that other exports may need.
 */
export function exportedBody(
  file: Spooled,
  passphrase: string | undefined,
  after: After = systemAfter,
): Readable {
  const { bytes: byte_size, sha256 } = file;
  const facts = JSON.stringify({ format: exportFormat, byte_size, sha256, passphrase });
  const length = Math.ceil(byte_size / 3) * 4;
  let read = 0;
  const text = async function* () {
    yield `${facts.slice(0, -1)},"data":"`;
    for await (const part of base64Of(file.read())) {
      yield part;
      read += part.length;
    }
    yield '"}';
  };
  const body = Readable.from(text(), { objectMode: false });
  const lookAfter = (look: number): (() => void) =>
    after(readWithinMs / looks, () => {
      if (read < (length * look) / looks) body.destroy();
      else cancel = lookAfter(look + 1);
    });
  let cancel = lookAfter(1);
  return body.once('close', () => {
    cancel();
    void file.close();
  });
}
