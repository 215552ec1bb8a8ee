import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { AuditEntry } from '../contracts/resources/account.ts';
import { tempDir } from '../infra/verification/testbed/index.ts';
import { aSession, destroyed, ready, requested, sessionStream } from '../projections/testing/index.ts';
import { startReadApi, type ReadApi } from './testing.ts';

const page = readFileSync(new URL('../docs/audit.md', import.meta.url), 'utf8');
const [, script = ''] = /```js\n([\s\S]+?)```/.exec(page) ?? [];

describe('an export of the audit log, checked as its documentation says', () => {
  const folder = tempDir('audit-check');
  const program = join(folder, 'verify-audit.mjs');
  let api: ReadApi;
  let lines: readonly string[];

  before(async () => {
    writeFileSync(program, script);
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
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, file], { encoding: 'utf8' });
    return { status, text: stdout + stderr };
  };

  it('is whole as it comes, from any number of pages', () => {
    const last = JSON.parse(lines.at(-1) ?? '') as AuditEntry;
    expect(verdict(lines)).to.deep.equal({ status: 0, text: `8 entries, the last one ${last.hash}\n` });
  });

  it('is found out when an entry is changed, left out or moved', () => {
    const edited = lines.with(3, (lines[3] ?? '').replace('session.', 'session_'));
    expect(verdict(edited))
      .to.include({ status: 1 })
      .and.to.have.property('text')
      .that.contains('4 was changed');
    const short = lines.toSpliced(3, 1);
    expect(verdict(short).text).to.contain('Entry 5 does not follow entry 3.');
    const moved = lines.with(1, lines[2] ?? '').with(2, lines[1] ?? '');
    expect(verdict(moved).text).to.contain('Entry 3 does not follow entry 1.');
  });
});
