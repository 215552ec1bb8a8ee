import { expect } from 'chai';
import { gate, until } from '../infra/verification/testbed/index.ts';
import { auditLogReads } from './audit-log.ts';

describe('pages of the audit log with a filter', () => {
  it('are read a few at once, accounts in turn, and keep none without a filter waiting', async () => {
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const page = async ({ caller }: { readonly caller: { readonly accountId: string } }) => {
      begun.push(caller.accountId);
      const over = gate();
      ends.push(over.open);
      await over.pass();
    };
    type Reads = Parameters<typeof auditLogReads>[0];
    const { run } = auditLogReads({ page } as unknown as Reads)['audit-log.list'];
    const read = (accountId: string, query: object) =>
      run({ caller: { accountId }, query } as unknown as Parameters<typeof run>[0]);
    const filtered = ['large', 'large', 'large', 'large', 'other'].map((account) =>
      read(account, { action: 'rare' }),
    );
    await until(() => begun.length === 3);
    const whole = read('third', {});
    expect(begun).to.deep.equal(['large', 'large', 'large', 'third']);
    ends[0]?.();
    await until(() => begun.length === 5);
    expect(begun[4]).to.equal('other');
    ends[1]?.();
    await until(() => begun.length === 6);
    ends.forEach((end) => end());
    await Promise.all([...filtered, whole]);
  });
});
