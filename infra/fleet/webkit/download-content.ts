import { uploadLimits } from '../../../contracts/resources/live.ts';
import { pageFailure, type DownloadContent, type OperationLimits } from '../node/driver.ts';
import { baseName } from '../node/file-name.ts';
import { pathsIn } from './host-process.ts';
import { openOwnFile } from './own-files.ts';
import type { Page } from './page.ts';

const missing = () => pageFailure('invalid_request', 'There is no such download.');

/** The content of a file that the session has kept, of at most the size that a file may have. */
export async function downloadContent(
  page: Page,
  directory: string,
  asked: string,
  limits: OperationLimits,
): Promise<DownloadContent> {
  const name = baseName(asked);
  const kept = (await page.downloads(limits)).find((each) => each.name === name);
  if (!kept) throw missing();
  if (kept.state !== 'finished') throw pageFailure('invalid_request', 'The download has not ended yet.');
  const file = await openOwnFile(pathsIn(directory).downloads, name);
  if (!file) throw missing();
  const { size } = await file.stat();
  if (size > uploadLimits.file) {
    await file.close();
    throw pageFailure('result_too_large', `The file is larger than ${uploadLimits.file} bytes.`);
  }
  const mime = kept.mime || 'application/octet-stream';
  // It ends where it ended when it was looked at, also if something is being written to it.
  return { entry: { name, size, mime }, content: file.createReadStream({ end: Math.max(0, size - 1) }) };
}
