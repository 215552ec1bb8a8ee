import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { freePort } from '../../platform/free-port.ts';
import { tempDir } from '../testbed/index.ts';
import { useWalkStack } from './walk-stack.ts';
import { answersIn, firstMissing, scriptIn } from './walkthrough.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string): string => readFileSync(join(checkout, path), 'utf8');
const setUp = scriptIn(read('docs/walkthroughs/README.md'));
const pages = readdirSync(join(checkout, 'docs/walkthroughs')).filter((name) => name !== 'README.md');

describe('the walkthroughs, on real WebKit', function () {
  this.timeout(180_000);
  const walk = useWalkStack();
  const folder = tempDir('walk');
  const leftBy = (page: string, name: string): Buffer => readFileSync(join(folder, page, name));

  before(() => {
    // What `npm install <path to the checkout>` does.
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
    symlinkSync(checkout, join(folder, 'node_modules/service'));
    symlinkSync('../service/contracts/audit/cli.mjs', join(folder, 'node_modules/.bin/service-audit'));
    for (const name of ['otpauth', '@modelcontextprotocol'])
      symlinkSync(join(checkout, 'node_modules', name), join(folder, 'node_modules', name));
  });

  /**
   * Runs a script in one shell, as a new account and in a new folder, until the first command that fails. `failure` is empty if
   * all succeeded.
   */
  async function run(page: string, script: string): Promise<{ stdout: string; failure: string }> {
    const { stack, site, processor } = walk();
    const cwd = join(folder, page);
    mkdirSync(cwd);
    const { api_key } = await stack.account('api_scale');
    const env = {
      ...process.env,
      BASE: stack.baseUrl,
      SITE: site.url,
      DEMO_CRYPTO: processor.url,
      HOOK: `http://127.0.0.1:${await freePort()}/`,
      KEY: api_key,
      CHECKOUT: checkout,
      DATA_DIR: stack.dataDir,
    };
    // Ends a receiver that a failed script left running.
    const whole = `trap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n${script}`;
    const options = { cwd, env, maxBuffer: 16 * 1024 * 1024, timeout: 150_000 };
    return new Promise((resolve) => {
      execFile('bash', ['-euo', 'pipefail', '-c', whole], options, (error, stdout, stderr) => {
        resolve({ stdout, failure: error === null ? '' : `${stderr}ended by ${error.code ?? error.signal}` });
      });
    });
  }

  async function follow(page: string, text: string, prelude = ''): Promise<void> {
    const { stdout, failure } = await run(page, `${prelude}\n${scriptIn(text)}`);
    expect(failure, stdout).to.equal('');
    const answers = answersIn(text);
    expect(answers).not.to.deep.equal([]);
    expect(firstMissing(answers, stdout), stdout).to.equal(undefined);
    expect(stdout).not.to.match(/correct horse|phrase/);
  }

  it('the README gives the answers that it shows', () => follow('README.md', read('README.md')));

  for (const page of pages)
    it(`${page} gives the answers that it shows`, () =>
      follow(page, read(`docs/walkthroughs/${page}`), setUp));

  it('are each listed', () => {
    const index = read('docs/walkthroughs/README.md');
    expect(pages.filter((page) => !index.includes(`| [${page}](${page}) |`))).to.deep.equal([]);
  });

  it('have sent the receiver what happened, with the same id each time, and nothing that did not verify', () => {
    const received = leftBy('webhooks.md', 'received.log').toString().trim().split('\n');
    const calls = received.map((line) => line.split(' '));
    const ended = calls.filter(([, type]) => type === 'session.completed').map(([id]) => id);
    expect(new Set(ended).size, 'sessions').to.equal(2);
    expect(ended.length, 'the last one sent, replayed, and replayed in a range').to.be.at.least(3);
    expect(calls.filter(([, type]) => type === 'test.ping')).to.have.length(2);
    expect(received.filter((line) => line.startsWith('refused'))).to.deep.equal([]);
  });

  it('leave a picture, a page and a document of the right kinds', () => {
    for (const picture of [
      leftBy('browser.md', 'screenshot.png'),
      leftBy('README.md', 'first.png'),
      leftBy('agents.md', 'agent.png'),
    ]) {
      expect(picture.subarray(1, 4).toString()).to.equal('PNG');
      expect(picture.readUInt32BE(16), 'device pixels across').to.be.greaterThan(1000);
    }
    expect(leftBy('browser.md', 'page.html').toString()).to.contain('Hello, Ada!');
    expect(leftBy('browser.md', 'page.pdf').subarray(0, 4).toString()).to.equal('%PDF');
  });
});
