import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { AuditEntry } from '../contracts/resources/account.ts';
import { tempDir } from '../infra/verification/testbed/index.ts';
import { aSession, destroyed, ready, requested, sessionStream } from '../projections/testing/index.ts';
import { startReadApi, type ReadApi } from './testing.ts';

const program = fileURLToPath(new URL('../contracts/audit/cli.mjs', import.meta.url));

describe('an export of the audit log, checked by service-audit', () => {
  const folder = tempDir('audit-check');
  let api: ReadApi;
  let lines: readonly string[];

  before(async () => {
    api = await startReadApi();
    api.project();
    const { account, key } = await api.addAccount();
    for (const label of ['plain', null, 'é "quoted" \\ 😀 \u2028 ,=1+1']) {
      const id = aSession();
      const events = [requested(id, account, { label }), ready(id), destroyed(id)];
      await api.write(account, sessionStream(id), events, key.id);
    }
    const pieces: string[] = [];
    let cursor = '';
    do {
      const query = `format=jsonl&limit=3&cursor=${cursor}`;
      const answer = await api.call(`GET /v1/account/audit-log/export?${query}`, { token: key.text });
      pieces.push(answer.text);
      cursor = answer.headers['x-next-cursor'] ?? '';
    } while (cursor !== '');
    lines = pieces.join('').trimEnd().split('\n');
  });
  after(() => api.close());

  const verdict = (changed: readonly string[]) => {
    const file = join(folder, 'audit.jsonl');
    writeFileSync(file, `${changed.join('\n')}\n`);
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'verify', file], {
      encoding: 'utf8',
    });
    return { status, text: stdout + stderr };
  };

  it('holds as it comes, from any number of pages', () => {
    const { hash } = JSON.parse(lines.at(-1) ?? '') as AuditEntry;
    expect(verdict(lines)).to.deep.equal({
      status: 0,
      text: `8 entries are valid, the last one is ${hash}\n`,
    });
  });

  it('does not hold when an entry is changed, left out or moved', () => {
    const edited = lines.with(3, (lines[3] ?? '').replace('session.', 'session_'));
    expect(verdict(edited)).to.deep.equal({
      status: 1,
      text: 'Entry 4 is not valid: Its hash does not match its contents.\n',
    });
    expect(verdict(lines.toSpliced(3, 1)).text).to.contain('Entry 4 is not valid: Entry 5 is in its place.');
    const moved = lines.with(1, lines[2] ?? '').with(2, lines[1] ?? '');
    expect(verdict(moved).text).to.contain('Entry 2 is not valid: Entry 3 is in its place.');
  });
});
