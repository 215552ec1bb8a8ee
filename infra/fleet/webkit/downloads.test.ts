import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { tempDir } from '../../verification/testbed/index.ts';
import { debianBinaries } from './requirements.ts';

/** A response becomes a download, which never begins. Prints whether downloads have ended, before and after `take`. */
const program = `
import WebKit2 from 'gi://WebKit2?version=4.1';
import { createDownloads } from '${new URL('host/downloads.js', import.meta.url).href}';

const downloads = createDownloads({ context: { connect() {} }, directory: '', started() {} });
let decide;
downloads.follow({ view: { connect: (_signal, listener) => (decide = listener) } });
const decision = {
  get_response: () => ({ get_http_headers: () => ({ get_one: () => 'attachment' }) }),
  is_main_frame_main_resource: () => false,
  download() {},
};
decide(null, decision, WebKit2.PolicyDecisionType.RESPONSE);

const haveEnded = async () => {
  let isSettled = false;
  downloads.ended(60_000, () => undefined).then(() => (isSettled = true));
  await Promise.resolve();
  return isSettled;
};
const before = await haveEnded();
downloads.take();
print(JSON.stringify([before, await haveEnded()]));
`;

describe('the downloads of a browser', () => {
  it('are waited for by one operation at most if they never begin, as of a tab that was closed', async () => {
    const file = join(tempDir('downloads'), 'program.js');
    writeFileSync(file, program);
    const { stdout } = await promisify(execFile)(debianBinaries.gjs, ['-m', file], { timeout: 60_000 });
    expect(JSON.parse(stdout)).to.deep.equal([false, true]);
  });
});
