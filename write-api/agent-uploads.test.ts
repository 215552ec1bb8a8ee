import { request } from 'node:http';
import { expect } from 'chai';
import type { AgentSessionId, SessionId } from '../contracts/ids.ts';
import { uploadLimits } from '../contracts/resources/live.ts';
import { until } from '../infra/verification/testbed/index.ts';
import { openAgentSession } from './testing/agent-session.ts';
import { startWriteSide, type WriteSide } from './testing.ts';

describe('the uploads of an account', () => {
  let side: WriteSide;
  let token: string;
  let agent: AgentSessionId;
  before(async () => {
    side = await startWriteSide();
    const account = await side.staff.account('team');
    ({ token } = account);
    const { json } = await side.call('POST /v1/sessions', { token, body: {} });
    agent = await openAgentSession(side.staff, account.accountId, String(json.id) as SessionId);
  });
  after(() => side.close());

  const upload = (name: string, content: string) => {
    const body = { name, mime: 'text/plain', dataB64: Buffer.from(content).toString('base64') };
    return side.call(`POST /v1/agent-sessions/${agent}/files`, { token, body });
  };

  it('are no more at the same time than it may bring, and files are taken again after that', async () => {
    const most = uploadLimits.accountAtOnce / uploadLimits.file;
    const { port } = side;
    const begin = () => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const length = { 'content-length': Math.ceil(uploadLimits.file / 3) * 4 + 100 };
      const path = `/v1/agent-sessions/${agent}/files`;
      const sent = request({ port, path, method: 'POST', headers: { ...headers, ...length }, agent: false });
      sent.on('error', () => undefined).write('{"name":"a","mime":"b","dataB64":"');
      return sent;
    };
    const begun = Array.from({ length: most }, begin);
    const reason = 'Uploads of an account may have 512 MiB at the same time.';
    await until(async () => {
      if ((await upload('a.txt', 'x')).json.reason === reason) return true;
      // One of them may have come while this small file had its room.
      begun.push(begin());
      return false;
    });
    expect((await upload('a.txt', 'x')).json).to.deep.equal({ handle: null, status: 'error', reason });
    expect((await upload('a.txt', '')).status).to.equal(400);
    for (const each of begun) each.destroy();
    await until(async () => (await upload('a.txt', 'x')).json.status === 'ok');
  });
});
