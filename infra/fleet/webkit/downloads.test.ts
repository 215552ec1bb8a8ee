import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { tempDir } from '../../verification/testbed/index.ts';
import { debianBinaries } from './requirements.ts';

/** A response becomes a download, which never begins. Prints whether downloads have ended, before and after `take`. */
const unbegun = `
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

/** A hundred downloads break off, and one does not. Prints the states that are listed in the end. */
const broken = `
import { createDownloads } from '${new URL('host/downloads.js', import.meta.url).href}';

let begin;
const context = { connect: (_signal, listener) => (begin = listener) };
const downloads = createDownloads({ context, directory: '/dev/null/nowhere', started() {} });
const response = { get_mime_type: () => 'text/plain', get_content_length: () => 10, get_http_headers: () => null };
const download = (bytes) => {
  const signals = {};
  const connect = (signal, listener) => (signals[signal] = listener);
  const it = { connect, get_web_view: () => null, get_response: () => response, set_destination() {}, cancel() {} };
  begin(null, it);
  signals['decide-destination'](it, 'file');
  signals['received-data'](it, bytes);
  signals.finished();
};
for (let count = 0; count < 100; count += 1) download(5);
download(10);
print(JSON.stringify(downloads.list().map(({ name, state }) => [name, state])));
`;

describe('the downloads of a browser', () => {
  const printed = async (program: string): Promise<unknown> => {
    const file = join(tempDir('downloads'), 'program.js');
    writeFileSync(file, program);
    const { stdout } = await promisify(execFile)(debianBinaries.gjs, ['-m', file], { timeout: 60_000 });
    return JSON.parse(stdout) as unknown;
  };

  it('are waited for by one operation at most if they never begin, as of a tab that was closed', async () => {
    expect(await printed(unbegun)).to.deep.equal([false, true]);
  });

  it('take no place of the hundred, and no name, if they fail', async () => {
    expect(await printed(broken)).to.deep.equal([['file', 'finished']]);
  });
});
