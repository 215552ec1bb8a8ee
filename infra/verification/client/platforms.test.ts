import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { build } from 'esbuild';
import { signatureHeader } from '../../webhooks/signature.ts';
import { openChromium } from '../testbed/chromium.ts';
import { startMisbehavingServer, type MisbehavingServer } from '../testbed/index.ts';
import * as will from '../testbed/misbehaving-server.ts';
import { installed, run } from './packed.ts';
import { smoke } from './smoke.ts';

const said = [
  ...[
    'ses_1 ready',
    'key_1',
    'key_2',
    'working',
    'answer',
    'entry 0',
    'entry 1',
    'UnknownOutcome',
    'AbortError',
  ],
  ...['ConnectionFailed', 'test.ping', 'WebhookVerificationError', 'destroyed'],
];
const body = '{"id":"1","type":"test.ping"}';
const secret = 'whsec_1';
const signed = {
  body,
  secret,
  signature: signatureHeader(Buffer.from(body), [secret], new Date(1_767_614_400_000)),
};

const agent = { id: 'agt_1', status: 'active' };
const entry = (index: number) => `event: transcript.entry\nid: ${index}\ndata: {"index":${index}}\n\n`;
const answer = `event: response\ndata: ${JSON.stringify({ status: 200, body: { kind: 'clarify' } })}\n\n`;

/** Answers to the program's requests. */
const answers: Readonly<Record<string, will.Behaviour>> = {
  'POST /v1/sessions': will.json({ id: 'ses_1', status: 'ready' }, { status: 201 }),
  'POST /v1/sessions/ses_1/navigate': will.json({ final_url: 'https://example.org/' }),
  'POST /v1/sessions/ses_1/interact': will.broken,
  'DELETE /v1/sessions/ses_1': (response) => void response.writeHead(204).end(),
  'GET /v1/api-keys': will.json({ data: [{ id: 'key_1' }], has_more: true, next_cursor: 'two' }),
  'GET /v1/api-keys?cursor=two': will.json({ data: [{ id: 'key_2' }], has_more: false, next_cursor: '' }),
  'POST /v1/agent-sessions': will.json(agent, { status: 201 }),
  'GET /v1/agent-sessions/agt_1': will.json({ ...agent, status: 'closed', transcript_length: 2 }),
  'POST /v1/agent-sessions/agt_1/message': will.events(
    ': heartbeat 2026-01-01T00:00:00.000Z\n\n',
    answer,
    'end',
  ),
  'GET /v1/account/rate-limits': will.silent,
  'GET /': (response) =>
    void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<title>smoke</title>'),
};

/** The transcript breaks once, and continues after the last entry received. */
const transcript: will.Behaviour = (response, request) => {
  const from = request.headers['last-event-id'];
  const rest = from === '0' ? [entry(1), 'end'] : ['end'];
  return will.events(...(from === undefined ? [entry(0), 'break'] : rest))(response, request);
};

describe('the client on a platform', function () {
  this.timeout(180_000);
  let server: MisbehavingServer;
  before(async () => {
    server = await startMisbehavingServer();
    server.will((response, request) => {
      const { method, path } = request;
      const behaviour = path.endsWith('/transcript') ? transcript : answers[`${method} ${path}`];
      return (behaviour ?? will.problem(404, 'not-found'))(response, request);
    });
  });
  after(() => server.close());

  it('prints the expected lines on Node', async () => {
    expect(await smoke(server.url, signed)).to.deep.equal(said);
  });

  it('does the same in a browser (Chromium)', async () => {
    const entryPoint = fileURLToPath(new URL('./smoke.ts', import.meta.url));
    const { outputFiles } = await build({
      ...{
        entryPoints: [entryPoint],
        bundle: true,
        write: false,
        platform: 'browser',
        format: 'iife',
        globalName: 'own',
      },
    });
    const browser = await openChromium();
    try {
      const page = await browser.newPage();
      await page.goto(`${server.url}/`);
      await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
      const call = `own.smoke(location.origin, ${JSON.stringify(signed)})`;
      expect(await page.evaluate(call)).to.deep.equal(said);
    } finally {
      await browser.close();
    }
  });

  it('does the same on the Node given by OTHER_NODES, packed', async () => {
    const { folder } = await installed();
    const entryPoint = fileURLToPath(new URL('./smoke.ts', import.meta.url));
    const { outputFiles } = await build({
      entryPoints: [entryPoint],
      bundle: true,
      write: false,
      format: 'esm',
      external: ['service/client'],
    });
    const call = `\nconsole.log(JSON.stringify(await smoke(${JSON.stringify(server.url)}, ${JSON.stringify(signed)})));`;
    writeFileSync(join(folder, 'smoke.mjs'), `${outputFiles[0]?.text ?? ''}${call}`);
    for (const node of (process.env.OTHER_NODES ?? process.execPath).split(':'))
      expect(JSON.parse(await run(node, ['smoke.mjs'], folder)), node).to.deep.equal(said);
  });
});
