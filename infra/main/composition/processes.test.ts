import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { ownedContext } from '../../../commands/engine/context.ts';
import { uuidOf } from '../../../contracts/ids.ts';
import { account } from '../../../domain/account.ts';
import { apiKey } from '../../../domain/api-key.ts';
import {
  startServiceWithProcesses,
  type ServiceWithProcesses,
} from '../../../write-api/testing/processes.ts';
import { hashApiKey, issueApiKey } from '../../keys/index.ts';
import { until } from '../../verification/testbed/index.ts';

describe('work that a request began and did not finish', () => {
  let service: ServiceWithProcesses;
  before(async () => {
    service = await startServiceWithProcesses();
  });
  after(() => service.close());
  const at = () => new Date().toISOString();

  it('is finished for an erasure: the address is free for another account, and the key is destroyed', async () => {
    const { staff, vault } = service;
    const email = `${randomUUID()}@example.com`;
    const { accountId } = await staff.account('team', undefined, email);
    const sealed = await vault.seal(accountId, 'a field', 'a text');
    const context = ownedContext(staff.context(), accountId);
    await staff.runner.run(account, uuidOf(accountId), { type: 'EraseAccount', at: at() }, context);
    await until(async () => 'erased' in (await vault.open(accountId, 'a field', sealed)), {
      limitMs: 15_000,
    });
    expect((await staff.account('team', undefined, email)).accountId).not.to.equal(accountId);
  });

  it('is finished for a rotation: the successor works', async () => {
    const { staff } = service;
    const { accountId, apiKeyId } = await staff.account('team');
    const { id, text, prefix, last4 } = issueApiKey();
    const successor = { apiKeyId: id, prefix, last4, hash: hashApiKey(text, service.ports.peppers.newest) };
    const rotate = { type: 'RotateApiKey', successor, graceEndsAt: at(), at: at() } as const;
    await staff.runner.run(apiKey, uuidOf(apiKeyId), rotate, ownedContext(staff.context(), accountId));
    const made = async () => (await service.events(`api_key-${uuidOf(id)}`)).map(({ type }) => type);
    expect(await until(async () => (await made())[0])).to.equal('ApiKeyCreated');
    expect((await service.call('DELETE /v1/sessions/nonsense', { token: text })).status).to.equal(404);
  });
});
