import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request as ask, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { expect } from 'chai';
import { errorsBase } from '../http/testing.ts';
import { tempDir } from '../verification/testbed/index.ts';
import { createConsole } from './console.ts';

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const script = 'console.log("a script")';

describe('the console at the public base URL', () => {
  let port: number;
  let close: () => void;

  before(async () => {
    const directory = tempDir('console');
    mkdirSync(directory, { recursive: true });
    const keep = (name: string, text: string) => {
      writeFileSync(join(directory, name), text);
      writeFileSync(join(directory, `${name}.br`), brotliCompressSync(text));
    };
    keep('index.html', '<html><head></head><body>the page</body></html>');
    keep('main-ABC.js', script);
    writeFileSync(join(directory, 'secret.txt'), 'not to be served');
    const console = createConsole({
      ...{ directory, termsRevision: '"><script>', errorsBase },
      videoUrl: 'wss://video.example.com/live',
    });
    const server = createServer((request, response) => {
      if (!console.handle(request, response)) response.writeHead(418).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
    close = () => server.close();
  });
  after(() => close());

  /** Sends the path unchanged, unlike clients that normalise it. */
  const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    new Promise<Answer>((resolve, reject) => {
      const sent = ask({ host: '127.0.0.1', port, path, method, headers, agent: false }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () =>
          resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts) }),
        );
      });
      sent.on('error', reject).end();
    });

  it('is one page for all of its paths, revalidated each time, with the revision of the terms in force', async () => {
    for (const path of [
      '/console/',
      '/console/sign-in',
      '/console/verify?token=a.b',
      '/console/sessions/ses_1',
    ]) {
      const { status, headers, body } = await get(path, { 'accept-encoding': 'br' });
      expect(headers['x-request-id'], path).to.match(/^req_/);
      expect([status, headers['content-type'], headers['cache-control']], path).to.deep.equal([
        200,
        'text/html; charset=utf-8',
        'no-cache',
      ]);
      expect(body.toString()).to.include('<meta name="terms-revision" content="&quot;&gt;&lt;script&gt;" />');
    }
  });

  it('serves immutable files, compressed for clients that accept it', async () => {
    const plain = await get('/console/main-ABC.js');
    expect([plain.status, plain.body.toString()]).to.deep.equal([200, script]);
    expect(plain.headers['cache-control']).to.equal('public, max-age=31536000, immutable');
    expect(plain.headers).not.to.have.property('content-encoding');
    const small = await get('/console/main-ABC.js', { 'accept-encoding': 'gzip, deflate, br' });
    expect(small.headers['content-encoding']).to.equal('br');
    expect(brotliDecompressSync(small.body).toString()).to.equal(script);
    for (const accepted of ['gzip', 'br;q=0', 'brotli', '']) {
      const { headers } = await get('/console/main-ABC.js', { 'accept-encoding': accepted });
      expect(headers, accepted).not.to.have.property('content-encoding');
      expect(headers.vary).to.equal('Accept-Encoding');
    }
  });

  it('forbids foreign scripts and framing, and sends no referrer', async () => {
    for (const path of ['/console/', '/console/main-ABC.js']) {
      const { headers } = await get(path);
      expect(headers['content-security-policy']).to.match(/^default-src 'self';.*frame-ancestors 'none'$/);
      expect(headers['content-security-policy']).not.to.include('unsafe');
      expect(headers['referrer-policy']).to.equal('no-referrer');
      expect(headers['x-content-type-options']).to.equal('nosniff');
      expect(headers['cross-origin-opener-policy']).to.equal('same-origin');
    }
  });

  it('answers HEAD without a body, and redirects to its own folder', async () => {
    const { status, headers, body } = await get('/console/main-ABC.js', {}, 'HEAD');
    expect([status, headers['content-length'], body.length]).to.deep.equal([200, String(script.length), 0]);
    const moved = await get('/console?token=a');
    expect([moved.status, moved.headers.location]).to.deep.equal([308, '/console/?token=a']);
  });

  it('serves nothing else: no other files, no path traversal, no other method', async () => {
    const paths = [
      ...['/console/secret.txt', '/console/main-ABC.js.br', '/console/missing.js', '/console/../main-ABC.js'],
      ...['/console/%2e%2e/secret.txt', '/console//etc/passwd.html', '/console/main-ABC.js/x.js'],
    ];
    for (const path of paths) {
      const { status, headers, body } = await get(path);
      expect([status, headers['content-type']], path).to.deep.equal([404, 'application/problem+json']);
      expect(body.toString()).to.include(`${errorsBase}/not-found`);
    }
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
      expect((await get('/console/', {}, method)).status, method).to.equal(404);
    expect((await get('/consoles')).status).to.equal(418);
    expect((await get('/v1/console')).status).to.equal(418);
  });
});
