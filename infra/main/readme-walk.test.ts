import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { startStack, tempDir, type TestStack } from '../testbed/index.ts';
import { startDemoSite, type DemoSite } from './demo/site.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const walk = /<!-- walk: .* -->\s+```bash\n([\s\S]+?)```/.exec(readme)?.[1] ?? '';

describe('the walk of the README, on real WebKit', function () {
  this.timeout(180_000);
  let site: DemoSite;
  let stack: TestStack;
  const folder = tempDir('walk');

  before(async () => {
    site = await startDemoSite(0);
    const engine = {
      url: `${site.url}/search?q={query}`,
      result: '.result',
      title: 'h3',
      link: 'a',
      snippet: 'p',
    };
    stack = await startStack({
      env: {
        DRIVER: 'webkit',
        OUTBOUND_ALLOW: '127.0.0.0/8',
        SEARCH_ENGINES: JSON.stringify({ demo: engine }),
      },
      limitMs: 120_000,
    });
  });
  after(async () => {
    await stack.stop();
    await site.close();
  });

  /** Stops at the first call that is not answered with success, and says which. */
  const run = (env: Record<string, string>): Promise<{ stdout: string; failure: string }> =>
    new Promise((resolve) => {
      const options = { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 16 * 1024 * 1024 };
      execFile('bash', ['-euo', 'pipefail', '-c', walk], options, (error, stdout, stderr) => {
        resolve({ stdout, failure: error === null ? '' : stderr || error.message });
      });
    });

  it('runs from its first call to its last', async () => {
    expect(walk).to.contain('/navigate').and.to.contain('/audit-log');
    const { api_key } = await stack.account('api_scale');
    const { stdout, failure } = await run({ BASE: stack.baseUrl, SITE: site.url, KEY: api_key });
    expect(failure, stdout).to.equal('');
    const [archetype, again] = stdout.split('\n');
    expect(archetype).to.match(/^iphone-/);
    expect(again).to.match(/^ses_/);
    expect(stdout).to.contain('"matched":true');
    expect(stdout).to.contain('"name":"Pear","price":0.9');
    expect(stdout).to.contain('"title":"Apples"');
    expect(stdout).to.contain('"status":"authenticated"');
    expect(stdout).to.match(/^destroyed$/m);
    expect(stdout).to.contain('session.destroyed').and.not.to.contain('correct horse');
  });

  it('leaves a picture, a page and a document that are what they say', () => {
    const file = (name: string) => readFileSync(join(folder, name));
    expect(file('screenshot.png').subarray(1, 4).toString()).to.equal('PNG');
    expect(file('screenshot.png').readUInt32BE(16), 'device pixels across').to.be.greaterThan(1000);
    expect(file('page.html').toString()).to.contain('Hello, Ada!');
    expect(file('page.pdf').subarray(0, 4).toString()).to.equal('%PDF');
  });
});
