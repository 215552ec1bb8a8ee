import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect } from 'chai';
import { pino } from 'pino';
import { request } from 'undici';
import { errorsBase } from '../http/testing.ts';
import { listen } from '../http/index.ts';
import { serve } from '../main/serve.ts';
import { createHealth, createMetrics } from '../metrics/index.ts';
import { tempDir, until } from '../verification/testbed/index.ts';
import { certify, makeAuthority, type Certified } from './authority.ts';
import { fileNames, openInternalTls, type InternalTls } from './index.ts';

const logger = pino({ level: 'silent' });
const now = { from: new Date(), days: 1 };
const hosts = ['127.0.0.1'];

async function directoryOf(
  authority: Certified,
  { trusts = authority, named = hosts, validity = now } = {},
): Promise<string> {
  const directory = tempDir('tls');
  await write(directory, authority, { trusts, named, validity });
  return directory;
}

async function write(
  directory: string,
  authority: Certified,
  { trusts = authority, named = hosts, validity = now } = {},
): Promise<void> {
  const { certificate, key } = await certify(authority, { name: 'a process', hosts: named, validity });
  writeFileSync(join(directory, fileNames.authority), trusts.certificate);
  writeFileSync(join(directory, fileNames.key), key);
  writeFileSync(join(directory, fileNames.certificate), certificate);
}

describe('connections between processes', () => {
  const opened: { close: () => Promise<void> }[] = [];
  after(() => Promise.all(opened.map((each) => each.close())));
  const open = (directory: string, lookEveryMs?: number): InternalTls => {
    const tls = openInternalTls(directory, logger, lookEveryMs);
    opened.push(tls);
    return tls;
  };

  async function start(tls: InternalTls) {
    const health = createHealth({ role: 'a role', checks: {}, metrics: createMetrics('tls'), errorsBase });
    const served = await serve({
      ...{ host: '127.0.0.1', port: 0, errorsBase, health, tls },
      app: (_request, response) => void response.end('served'),
    });
    opened.push(served);
    return { ...served, url: `https://127.0.0.1:${served.port}` };
  }

  const ask = async (url: string, { agent }: Pick<InternalTls, 'agent'>) => {
    const { statusCode, body } = await request(url, { dispatcher: agent });
    return [statusCode, await body.text()] as const;
  };
  const failure = (url: string, tls: InternalTls) =>
    ask(url, tls).then(
      () => undefined,
      (error: unknown) => (error as { code?: string }).code,
    );

  it('serve processes of the installation, and others no more than health', async () => {
    const authority = await makeAuthority('authority', now);
    const own = open(await directoryOf(authority));
    const { url } = await start(own);
    expect(await ask(`${url}/v1/sessions`, own)).to.deep.equal([200, 'served']);
    const stranger = open(await directoryOf(await makeAuthority('another', now), { trusts: authority }));
    expect((await ask(`${url}/healthz`, stranger))[0]).to.equal(200);
    const [status, text] = await ask(`${url}/v1/sessions`, stranger);
    expect([status, (JSON.parse(text) as { type: string }).type]).to.deep.equal([
      401,
      `${errorsBase}/unauthorized`,
    ]);
  });

  it('are refused by the caller where the other has another authority, another name, or is out of date', async () => {
    const authority = await makeAuthority('authority', now);
    const caller = open(await directoryOf(authority));
    const past = { from: new Date(Date.now() - 3 * 24 * 3_600_000), days: 1 };
    const wrong = {
      SELF_SIGNED_CERT_IN_CHAIN: await directoryOf(await makeAuthority('another', now)),
      ERR_TLS_CERT_ALTNAME_INVALID: await directoryOf(authority, { named: ['elsewhere.example'] }),
      CERT_HAS_EXPIRED: await directoryOf(authority, { validity: past }),
    };
    for (const [code, directory] of Object.entries(wrong))
      expect(await failure((await start(open(directory))).url, caller)).to.equal(code);
  });

  it('speak no version before 1.3, and no clear text', async () => {
    const own = open(await directoryOf(await makeAuthority('authority', now)));
    const { port } = await start(own);
    const old = connect({ port, host: '127.0.0.1', maxVersion: 'TLSv1.2', rejectUnauthorized: false });
    const [error] = (await once(old, 'error')) as [{ code: string }];
    expect(error.code).to.equal('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
    const clear = await request(`http://127.0.0.1:${port}/healthz`).catch((failed: unknown) => failed);
    expect(clear).to.be.instanceOf(Error);
  });

  it('take a renewed certificate without a restart, and keep theirs while the new files do not belong together', async () => {
    const authority = await makeAuthority('authority', now);
    const directory = await directoryOf(authority);
    const server = open(directory, 20);
    const caller = open(await directoryOf(authority));
    const { port, url } = await start(server);
    const serial = () =>
      new Promise<string>((resolve) => {
        const socket = connect({ port, host: '127.0.0.1', ca: authority.certificate }, () => {
          resolve(socket.getPeerCertificate().serialNumber);
          socket.destroy();
        });
      });
    const daysLeft = () => (server.expiresAt() - Date.now() / 1000) / (24 * 3_600);
    const before = await serial();
    expect(daysLeft()).to.be.closeTo(1, 0.1);
    const { key } = await certify(authority, { name: 'other', hosts, validity: now });
    writeFileSync(join(directory, fileNames.key), key);
    expect(await serial()).to.equal(before);
    await write(directory, authority, { validity: { ...now, days: 2 } });
    await until(async () => (await serial()) !== before);
    expect(daysLeft()).to.be.closeTo(2, 0.1);
    expect((await ask(url, caller))[0]).to.equal(200);
    rmSync(join(directory, fileNames.key));
    expect((await ask(url, caller))[0]).to.equal(200);
  });

  it('cannot be opened with a key that is another certificate’s', async () => {
    const authority = await makeAuthority('authority', now);
    const directory = await directoryOf(authority);
    writeFileSync(join(directory, fileNames.key), authority.key);
    expect(() => openInternalTls(directory, logger)).to.throw(/mismatch/i);
    expect(() => openInternalTls(tempDir('nothing'), logger)).to.throw('ENOENT');
  });

  it('are plain for who asks for plain', async () => {
    const { port, close } = await listen((_request, response) => void response.end(), 0);
    expect((await request(`http://127.0.0.1:${port}`)).statusCode).to.equal(200);
    await close();
  });
});
