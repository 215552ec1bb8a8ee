import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { expect } from 'chai';
import { toId, uuidOf } from '../../contracts/ids.ts';
import { uploadLimits } from '../../contracts/resources/live.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import { openAgentSession, withAgentSession } from '../testing/agent-session.ts';

describe('files and captures of an agent session, over HTTP', () => {
  const on = withAgentSession();
  const { call, operate, navigate, upload, changes } = on;

  it('takes a file, which a page of this session is given by its handle, and of no other', async () => {
    const { json } = await upload('../notes/\u0007today.txt', 'hello');
    const handle = json.handle as { id: string };
    expect(json.status).to.equal('ok');
    expect(handle).to.include({ name: 'today.txt', mime: 'text/plain', size: 5 });
    await navigate('/form');
    const action = { kind: 'upload', selector: '#file', handle: handle.id };
    expect((await operate('interact', { action })).status).to.equal(200);
    expect(await changes()).to.deep.equal(['file_uploaded']);
    const other = await on.drive();
    await operate('navigate', { url: 'http://sim.test/form' }, other);
    expect((await operate('interact', { action }, other)).status).to.equal(400);
  });

  it('refuses a file without content, without a name, or larger than one may be', async () => {
    const errorOf = async (answer: ReturnType<typeof upload>) => {
      const { status, json } = await answer;
      return [status, (json.errors as { path: string }[] | undefined)?.[0]?.path];
    };
    expect(await errorOf(upload('a.txt', ''))).to.deep.equal([400, '/body/dataB64']);
    for (const name of ['/', '..', '\u0007', ' . '])
      expect(await errorOf(upload(name, 'x')), name).to.deep.equal([400, '/body/name']);
    const large = Buffer.alloc(uploadLimits.file + 1);
    expect(await errorOf(upload('a.bin', large))).to.deep.equal([400, '/body/dataB64']);
    expect(await changes()).to.deep.equal([]);
  });

  it('takes the largest file that there may be', async () => {
    const { json } = await upload('large.bin', Buffer.alloc(uploadLimits.file, 1));
    expect(json.handle).to.include({ size: uploadLimits.file });
  });

  describe('with captures that it keeps', () => {
    const keep = async (kind = 'screenshot') => {
      const id = toId('capture', randomUUID());
      const [requested] = await on.side.events(`session-${uuidOf(on.driven)}`);
      const { nodeId } = requested?.data as { nodeId: `nod_${string}` };
      const dispatch_id = randomUUID();
      const input = { kind, keep_as: id };
      const dispatch = { dispatch_id, operation: 'capture' as const, input, timeout_ms: 5_000 };
      const outcome = await on.side.fleet.operate(nodeId, on.driven, dispatch, 10_000);
      return { id, result: outcome.outcome === 'succeeded' ? (outcome.result as object) : {} };
    };

    it('gives the content later, and not with the result', async () => {
      const inline = (await operate('capture', { kind: 'pdf' })).json;
      const { id, result } = await keep('pdf');
      expect(result).to.include({ data: '', byte_size: inline.byte_size });
      const { status, json } = await call('GET', `captures/${id}`);
      expect(status).to.equal(200);
      expect(json).to.include({ kind: 'pdf', encoding: 'base64', data: inline.data });
    });

    it('has the newest twenty', async () => {
      const { id: oldest } = await keep();
      const { id: second } = await keep();
      for (let more = 0; more < 19; more += 1) await keep();
      expect((await call('GET', `captures/${oldest}`)).status).to.equal(404);
      expect((await call('GET', `captures/${second}`)).status).to.equal(200);
    });

    it('are given to no other account, session or id, and not once it is closed', async () => {
      const { id } = await keep();
      const other = await openAgentSession(on.side.staff, on.accountId, await on.drive());
      const { token: stranger } = await on.side.staff.account('team');
      const statuses = [
        await call('GET', `captures/${id}`, undefined, other),
        await call('GET', `captures/${id}`, undefined, on.agent, stranger),
        await call('GET', `captures/${toId('capture', randomUUID())}`),
        await call('GET', 'captures/cap_..%2F..%2Fcredential'),
      ].map(({ status }) => status);
      expect(statuses).to.deep.equal([404, 404, 404, 404]);
      await on.close();
      expect((await call('GET', `captures/${id}`)).status).to.equal(404);
    });

    it('keeps none that a request of its own asks for', async () => {
      const id = toId('capture', randomUUID());
      const { json, headers } = await operate('capture', { kind: 'pdf', keep_as: id });
      expect(json.data).to.be.a('string').and.not.equal('');
      expect(headers['x-service-unknown-fields']).to.equal('keep_as');
      expect((await call('GET', `captures/${id}`)).status).to.equal(404);
    });
  });

  it('is given no more at the same time than an account may bring, and takes files again after that', async () => {
    const begin = () => {
      const headers = { authorization: `Bearer ${on.token}`, 'content-type': 'application/json' };
      const length = { 'content-length': Math.ceil(uploadLimits.file / 3) * 4 + 100 };
      const to = { port: on.side.port, path: `/v1/agent-sessions/${on.agent}/files`, method: 'POST' };
      const sent = request({ ...to, headers: { ...headers, ...length }, agent: false });
      sent.on('error', () => undefined).write('{"name":"a","mime":"b","dataB64":"');
      return sent;
    };
    const most = uploadLimits.accountAtOnce / uploadLimits.file;
    const begun = Array.from({ length: most }, begin);
    const reason = 'Concurrent uploads of an account may have at most 512 MiB together.';
    await until(async () => {
      if ((await upload('a.txt', 'x')).json.reason === reason) return true;
      // This upload may have taken space that one of the others needed.
      begun.push(begin());
      return false;
    });
    expect((await upload('a.txt', 'x')).json).to.deep.equal({ handle: null, status: 'error', reason });
    expect((await upload('a.txt', '')).status).to.equal(400);
    for (const each of begun) each.destroy();
    await until(async () => (await upload('a.txt', 'x')).json.status === 'ok');
  });
});
