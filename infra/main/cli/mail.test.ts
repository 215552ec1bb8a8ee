import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId, uuidOf, type MailId } from '../../../contracts/ids.ts';
import { anAccount, by, startReadSide, type ReadSide } from '../../../projections/testing/index.ts';
import { runService } from '../../verification/testbed/service.ts';
import { sealMail } from '../../../commands/mail/sealing.ts';
import { loadConfig } from '../../config/index.ts';
import { openVault } from '../composition/stores.ts';
import { operatorOf } from './testing.ts';

const accountId = anAccount();
const at = '2026-01-05T12:00:00.000Z';

describe('the operator’s commands on mails', () => {
  // The first command may have to bundle the sources.
  let side: ReadSide;
  let environment: Readonly<Record<string, string | undefined>>;
  const [queued, sent] = [toId('mail', randomUUID()), toId('mail', randomUUID())];

  const queue = (mailId: MailId) => ({
    type: 'MailQueued',
    data: {
      mailId,
      accountId,
      template: 'webhook-failing',
      facts: { webhook_id: 'whk_1', host: 'receiver.example', failures: 25, disabled_after: 50 },
      dueAt: at,
      at,
    },
  });
  const service = (...args: string[]) => runService(['mail', ...args], environment);

  before(async () => {
    side = await startReadSide();
    side.project();
    environment = operatorOf(side);
    await side.append(`mail-${uuidOf(queued)}`, [queue(queued)], by(accountId));
    const taken = { type: 'MailSent', data: { mailId: sent, attempt: 1, at } };
    await side.append(`mail-${uuidOf(sent)}`, [queue(sent), taken], by(accountId));
    await side.caughtUp();
  });
  after(() => side.close());

  it('list the mails that wait in the outbox', async () => {
    const { status, stdout } = await service('list', '--status', 'queued', '--json');
    expect(status).to.equal(0);
    expect(JSON.parse(stdout)).to.deep.equal([
      {
        id: queued,
        account_id: accountId,
        template: 'webhook-failing',
        status: 'queued',
        attempt_count: 0,
        next_attempt_at: at,
        created_at: at,
      },
    ]);
  });

  it('show the text of one, and its recipient only by account', async () => {
    const { status, stdout } = await service('show', sent);
    expect(status).to.equal(0);
    expect(stdout).to.contain(`To       the owner of ${accountId} (sent)`);
    expect(stdout).to.contain('Subject  Your webhook endpoint at receiver.example is failing');
    expect(stdout).to.contain('The last 25 attempts');
  });

  it('show the complete link that is sealed in one, and no address', async () => {
    const mailId = toId('mail', randomUUID());
    const link = `https://service.example/console/verify?token=${'x'.repeat(80)}`;
    const vault = openVault(loadConfig(environment), side.postgres.pool);
    const sealed = await sealMail(vault, mailId, {
      ...{ accountId, template: 'account-verification', facts: {}, secrets: { link } },
      ...{ expiresAt: at, to: 'reader@canary.example' },
    });
    const { data, type } = queue(mailId);
    const content = { ...data, ...sealed, template: 'account-verification', facts: {}, expiresAt: at };
    await side.append(`mail-${uuidOf(mailId)}`, [{ type, data: content }], by(accountId));
    const { status, stdout } = await service('show', mailId, '--json');
    expect(status).to.equal(0);
    const shown = JSON.parse(stdout) as { text: string; template: string };
    expect(shown).to.include({ template: 'account-verification', subject: 'Confirm your email address' });
    expect(shown.text.split('\n')).to.include(link);
    expect(stdout).not.to.contain('canary');
    expect((await service('show', mailId, '--html')).stdout).to.contain(`href="${link}"`);
  });

  it('preview a template without a stack', async () => {
    const { status, stdout } = await service('preview', 'tier-changed');
    expect(status).to.equal(0);
    expect(stdout).to.contain('Subject  Your account is now on API Starter');
    expect((await service('preview', 'magic-link', '--html')).stdout).to.match(/^<!doctype html>/);
    expect((await service('preview', 'nonsense')).status).to.equal(1);
  });

  it('report an unknown mail', async () => {
    const { status, stderr } = await service('show', toId('mail', randomUUID()));
    expect(status).to.equal(1);
    expect(stderr).to.match(/^There is no mail mail_/);
  });
});
