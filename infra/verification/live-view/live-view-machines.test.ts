import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { caller } from '../../http/testing.ts';
import { certify, makeAuthority } from '../../internal-tls/authority.ts';
import { fileNames } from '../../internal-tls/index.ts';
import { startStack, tempDir, until, type TestStack } from '../testbed/index.ts';
import { joinByMedia } from './media-participant.ts';
import { PictureParticipant, type VideoBlock } from './picture-participant.ts';

/** A directory of one certificate, which all processes have. */
async function certified(): Promise<string> {
  const validity = { from: new Date(), days: 1 };
  const authority = await makeAuthority('authority', validity);
  const issued = await certify(authority, { name: 'all', hosts: ['127.0.0.1'], validity });
  const directory = tempDir('certificates');
  writeFileSync(join(directory, fileNames.authority), authority.certificate);
  writeFileSync(join(directory, fileNames.certificate), issued.certificate);
  writeFileSync(join(directory, fileNames.key), issued.key, { mode: 0o600 });
  return directory;
}

/** Every internal connection is TLS, as between machines: the gateway's to the node too, which participants are passed on by. */
describe('live view between processes that know each other by certificates', function () {
  this.timeout(180_000);
  let stack: TestStack;
  let call: (method: string, path: string, body?: object) => Promise<Record<string, unknown>>;

  before(async () => {
    stack = await startStack({ env: { DRIVER: 'webkit', FLEET_TLS: await certified() }, limitMs: 120_000 });
    const { api_key: token } = await stack.account('api_scale');
    const asCaller = caller(Number(new URL(stack.baseUrl).port));
    call = async (method, path, body) => {
      const { status, json, text } = await asCaller(`${method} ${path}`, { token, ...(body && { body }) });
      expect(status, text).to.be.below(300);
      return json;
    };
  });
  after(() => stack.stop());

  it('has its participants, their pictures, their media and their touches', async () => {
    const { id, video } = await call('POST', '/v1/agent-sessions', { mode: 'manual' });
    const participant = await PictureParticipant.join(video as object);
    await participant.control(({ mode }) => mode === 'manual');
    await until(async () => participant.pictures.length > 0, { limitMs: 60_000 });
    expect(await participant.does({ type: 'tap', x: 20, y: 20 })).to.equal('ok');
    const { token } = await call('POST', `/v1/agent-sessions/${String(id)}/links`, {
      ...{ right: 'watch', ttl_seconds: 600 },
    });
    const linked = await call('POST', '/v1/agent-session-links/open', { token });
    const watcher = await joinByMedia(linked.video as VideoBlock);
    expect(watcher.packets()).to.be.above(0);
    await watcher.leave();
    await call('DELETE', `/v1/agent-sessions/${String(id)}`);
    expect(await participant.closed()).to.equal(1000);
    expect(participant.ended).to.equal('browser-ended');
  });
});
