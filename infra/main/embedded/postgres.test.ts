import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { tempDir } from '../../verification/testbed/index.ts';
import { answering, startPostgres } from './postgres.ts';

describe('the embedded Postgres', () => {
  const home = tempDir('private');
  const options = {
    dataDir: join(home, 'data', 'postgres'),
    logFile: join(home, 'log'),
    password: 'test',
    durable: false,
  };
  const query = async (url: string, text: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<{ kept: string }>(text)).rows;
    } finally {
      await client.end();
    }
  };

  before(() => {
    chmodSync(home, 0o700);
    mkdirSync(join(home, 'data'));
  });

  it('runs below a directory that only the starting user may enter, and keeps its data', async () => {
    const first = await startPostgres(options);
    await query(first.url, "create table note as select 'yes' as kept");
    await first.stop();
    const second = await startPostgres(options);
    expect(await query(second.url, 'select kept from note')).to.deep.equal([{ kept: 'yes' }]);
    await second.stop();
  });

  it('refuses connections without the password', async () => {
    const server = await startPostgres(options);
    for (const credentials of ['service:wrong@', 'service@', 'postgres:test@']) {
      const url = server.url.replace(/\/\/[^@]+@/, `//${credentials}`);
      const error = await query(url, 'select 1').catch((failure: unknown) => String(failure));
      expect(error, credentials).to.match(/password/);
    }
    await server.stop();
  });

  it('gets no variable of the service', async () => {
    process.env.OPERATOR_TOKEN = 'a-token-of-the-operator';
    const server = await startPostgres(options);
    delete process.env.OPERATOR_TOKEN;
    const variables = readFileSync(`/proc/${server.pid}/environ`, 'utf8');
    await server.stop();
    expect(variables).to.include('PATH=').and.not.to.include('OPERATOR_TOKEN');
  });

  it('starts despite a server that a dead supervisor left running, and despite a stale pid file', async () => {
    const left = await startPostgres(options);
    const next = await startPostgres(options);
    await left.ended;
    expect(await query(next.url, 'select kept from note')).to.deep.equal([{ kept: 'yes' }]);
    await next.stop();
    writeFileSync(join(options.dataDir, 'postmaster.pid'), `${process.pid}\n${options.dataDir}\n`);
    const last = await startPostgres(options);
    await last.stop();
  });

  it('that cannot be started now, as at the limit of processes, can be started again', async () => {
    const { PATH = '' } = process.env;
    // Without `setpriv`, by which it is started.
    process.env.PATH = tempDir('programs');
    symlinkSync('/usr/bin/id', join(process.env.PATH, 'id'));
    const failure = await startPostgres(options).catch((error: unknown) => String(error));
    process.env.PATH = PATH;
    expect(failure).to.include('setpriv ENOENT');
    await (await startPostgres(options)).stop();
  });

  it('is waited for while it says that it recovers, and given up when it says nothing', async () => {
    let tries = 0;
    const recovering = createServer((socket) => {
      const starts = (tries += 1) <= 20;
      socket.on('error', () => undefined);
      socket.once('data', () => {
        if (starts)
          return socket.end(message('E', 'SFATAL\0C57P03\0Mthe database system is starting up\0\0'));
        socket.write(Buffer.concat([message('R', '\0\0\0\0'), message('Z', 'I')]));
        socket.on('data', (sent) => {
          if (sent[0] === 0x51) socket.write(Buffer.concat([message('C', 'SELECT 1\0'), message('Z', 'I')]));
        });
      });
    });
    await once(recovering.listen(0, '127.0.0.1'), 'listening');
    const url = `postgres://service@127.0.0.1:${(recovering.address() as AddressInfo).port}/postgres`;
    const child = { exitCode: null, signalCode: null };
    // Twenty polls take longer.
    await answering(url, child, 'log', 200);
    expect(tries).to.equal(21);
    recovering.close();
    const failure = await answering(url, child, 'log', 200).catch((error: unknown) => String(error));
    expect(failure).to.include('did not answer');
  });
});

/** A message of the protocol of Postgres. */
function message(type: string, body: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + body.length);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body, 'latin1')]);
}
