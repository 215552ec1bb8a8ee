import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { get, request as requestTls } from 'node:https';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import type { AddressInfo } from 'node:net';
import { freePort } from '../../platform/free-port.ts';
import { composeFolder, resolverIn } from '../testing/compose.ts';
import { startNameServer } from '../testing/name-server.ts';
import { certificate, privateKey, tempDir, until } from '../../verification/testbed/index.ts';

const fileOf = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');

/** Debian's nginx with this project's files, on other ports and directories. */
async function startNginx(upstream: string) {
  const [directory, port] = [tempDir('nginx'), await freePort()];
  const tls = join(directory, 'tls');
  mkdirSync(tls);
  writeFileSync(join(tls, 'tls.crt'), certificate);
  writeFileSync(join(tls, 'tls.key'), privateKey);
  const [log, errors] = [join(directory, 'access.log'), join(directory, 'error.log')];
  const service = fileOf('service.conf')
    .replaceAll('8443', String(port))
    .replaceAll('/etc/service/public-tls', tls)
    .replace('/var/log/nginx/access.log', log)
    .replace('/var/log/nginx/error.log', errors);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${directory}/${name};`,
  );
  const whole = `daemon off; error_log ${errors}; pid ${directory}/pid; user root; events {} http { ${paths.join(' ')}\n${upstream}\n${service} }`;
  writeFileSync(join(directory, 'nginx.conf'), whole);
  const args = ['-c', join(directory, 'nginx.conf'), '-p', directory];
  // Its output is a socket, as a unit's is, and cannot be opened by name.
  execFileSync('nginx', [...args, '-t', '-q'], { stdio: ['ignore', 'pipe', 'pipe'] });
  const child = spawn('nginx', args, { stdio: 'ignore' });
  return { child, port, log, errors };
}

/** A gateway that answers with the request and its own address, and streams on request. */
async function startGateway(host = '127.0.0.1', port = 0) {
  const server = createServer((asked, response) => {
    if (asked.url === '/stream') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': first\n\n');
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ url: asked.url, headers: asked.headers, host }));
  });
  server.on('upgrade', (_asked, socket) =>
    socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nhello'),
  );
  server.listen(port, host);
  await once(server, 'listening');
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { close, port: (server.address() as AddressInfo).port };
}

type Nginx = Awaited<ReturnType<typeof startNginx>>;

const ask = ({ port }: Nginx, path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, headers, rejectUnauthorized: false };
    get(options, resolve).once('error', reject);
  });

async function bodyOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

async function stop({ child }: Nginx): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

describe('nginx before the gateway', () => {
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  let nginx: Nginx;
  const asked = (path: string, headers: Record<string, string> = {}) => ask(nginx, path, headers);

  before(async () => {
    gateway = await startGateway();
    nginx = await startNginx(fileOf('upstream.conf').replace('8080', String(gateway.port)));
    await until(async () => (await bodyOf(await asked('/readyz'))) !== '');
  });
  after(async () => {
    await stop(nginx);
    await gateway.close();
  });

  it('says who called, whatever they say of themselves, and by which name', async () => {
    const spoofed = {
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-proto': 'http',
      host: 'service.example',
    };
    const { headers } = JSON.parse(await bodyOf(await asked('/v1/account', spoofed))) as {
      headers: Record<string, string>;
    };
    expect(headers).to.include({
      host: 'service.example',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'https',
    });
  });

  it('passes a stream on as it is written', async () => {
    const answer = await asked('/stream');
    const [first] = (await once(answer, 'data')) as [Buffer];
    expect(first.toString()).to.equal(': first\n\n');
    answer.destroy();
  });

  it('passes sockets through', async () => {
    const headers = { connection: 'Upgrade', upgrade: 'websocket' };
    const place = { host: '127.0.0.1', port: nginx.port, rejectUnauthorized: false };
    const sent = requestTls({ ...place, path: '/video/rtc', headers, agent: false }).end();
    const [, socket, head] = (await once(sent, 'upgrade')) as [
      IncomingMessage,
      NodeJS.ReadableStream,
      Buffer,
    ];
    const rest = head.length > 0 ? head : ((await once(socket, 'data')) as [Buffer])[0];
    expect(rest.toString()).to.equal('hello');
  });

  it('keeps no query, where tokens are, of a request that it passes on or cannot pass on', async () => {
    const path = '/v1/agent-sessions/agt_1/transcript';
    const alone = await startNginx(fileOf('upstream.conf').replace('8080', String(await freePort())));
    try {
      for (const [each, status] of [
        [nginx, 200],
        [alone, 502],
      ] as const) {
        const answer = await until(() => ask(each, `${path}?token=a-secret-token`));
        await bodyOf(answer);
        expect(answer.statusCode).to.equal(status);
        const log = await until(() => {
          const text = readFileSync(each.log, 'utf8');
          return text.includes(`${path}" ${status} `) && text;
        });
        expect(log + readFileSync(each.errors, 'utf8')).not.to.include('a-secret-token');
      }
    } finally {
      await stop(alone);
    }
  });
});

describe('nginx before a gateway in a container', () => {
  const open: (() => unknown)[] = [];
  after(async () => {
    for (const close of open.reverse()) await close();
  });

  it('finds it again at another address, without a restart', async () => {
    const names = await startNameServer('127.0.0.2');
    const former = await startGateway('127.0.0.2');
    const resolver = join(tempDir('nginx'), 'resolver.conf');
    const told = resolverIn(dirname(resolver), 'nameserver 127.0.0.1\n');
    writeFileSync(resolver, told.replace('127.0.0.1', `127.0.0.1:${names.port}`));
    const upstream = readFileSync(join(composeFolder, 'upstream.conf'), 'utf8')
      .replace('/tmp/resolver.conf', resolver)
      .replace('8080', String(former.port));
    const nginx = await startNginx(upstream);
    open.push(names.close, () => stop(nginx));
    const hostOf = async () => {
      const answer = await ask(nginx, '/v1/sessions?limit=5').catch(() => undefined);
      const body = answer && (await bodyOf(answer));
      if (answer?.statusCode !== 200) return undefined;
      return JSON.parse(body ?? '') as { readonly host: string; readonly url: string };
    };
    expect(await until(hostOf)).to.include({ host: '127.0.0.2', url: '/v1/sessions?limit=5' });
    await former.close();
    const next = await startGateway('127.0.0.3', former.port);
    open.push(next.close);
    names.address = '127.0.0.3';
    expect(await until(hostOf)).to.include({ host: '127.0.0.3' });
  });
});
