import { uploadLimits } from '../../../contracts/resources/live.ts';
import { pageFailure, type DownloadContent, type OperationLimits } from '../node/driver.ts';
import { pathsIn } from './host-process.ts';
import { openOwnFile } from './own-files.ts';
import type { Page } from './page.ts';

const missing = () => pageFailure('invalid_request', 'There is no such download.');

/** Content of a file that the session has downloaded, up to the maximal size of a file. */
export async function downloadContent(
  page: Page,
  directory: string,
  asked: string,
  limits: OperationLimits,
): Promise<DownloadContent> {
  const name = asked.split(/[/\\]/).at(-1) ?? '';
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
  // Read up to the size at opening, even if the file is still written to.
  return { entry: { name, size, mime }, content: file.createReadStream({ end: Math.max(0, size - 1) }) };
}
