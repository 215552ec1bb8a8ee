import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { assignments } from '../../deploy/testing/environment.ts';
import { caller } from '../../http/testing.ts';
import type { KeptHead } from '../../notes/kept-head.ts';
import { freePort } from '../../platform/free-port.ts';
import { connect, type Client } from '../faults/client.ts';
import { startStack, tempDir, until, type NewAccount, type TestStack } from '../testbed/index.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const inTime = { limitMs: 60_000, everyMs: 100 };

/** The blocks of commands of a section of the deployment documentation. */
const blocksOf = (heading: string): readonly string[] => {
  const [, section = ''] = readFileSync(join(root, 'docs/deployment.md'), 'utf8').split(`### ${heading}\n`);
  return [...(section.split(/\n##/)[0]?.matchAll(/```sh\n(.+?)```/gs) ?? [])].map(([, block = '']) => block);
};

type Machine = ReturnType<typeof newMachine>;

/** An empty machine: a place for the documented directories, and for the copies of all of them. */
function newMachine(backups: string) {
  const disk = tempDir('machine');
  const [dataDir, etc] = [join(disk, 'data'), join(disk, 'etc')];
  mkdirSync(dataDir);
  const moved = (text: string) =>
    text
      .replaceAll('/var/lib/service', dataDir)
      .replaceAll('/var/backups/service', backups)
      .replaceAll('/etc/service', etc);
  return {
    disk,
    dataDir,
    etc,
    /** Runs a documented block as it is, but for the lines that start and stop the unit. */
    run: (block: string) => run('sh', ['-euc', moved(block.replaceAll(/^systemctl .*$/gm, ''))]),
    start: () =>
      startStack({ dataDir, env: { ...environmentIn(etc), ...secretFiles(etc) }, limitMs: 120_000 }),
  };
}

/** With a port that stays, since heads are signed under the address. */
const configuration = async () => `PORT=${await freePort()}\nANCHOR_INTERVAL=1s\nAUDIT_HEAD_INTERVAL=1s\n`;

/** As the unit hands them on. */
const environmentIn = (etc: string) => assignments(readFileSync(join(etc, 'service.env'), 'utf8'));
const secretFiles = (etc: string) =>
  Object.fromEntries(
    readdirSync(join(etc, 'secrets')).map((name) => [`${name}_FILE`, join(etc, 'secrets', name)]),
  );

/** Lines of the newest public checkpoint: origin, size, root and what follows. */
async function publicCheckpoint(stack: TestStack): Promise<readonly string[]> {
  const path = 'GET /.well-known/audit-log/checkpoint';
  const answer = await caller(Number(new URL(stack.baseUrl).port))(path, { token: null });
  return answer.status === 200 ? answer.text.split('\n') : [];
}

const sizeOf = ([, size]: readonly string[]): number => Number(size ?? 0);

/** A checkpoint with more than that. */
const grownBeyond = (stack: TestStack, size: number) =>
  until(async () => {
    const checkpoint = await publicCheckpoint(stack);
    return sizeOf(checkpoint) > size && checkpoint;
  }, inTime);

/** What a customer reads of everything they made; sealed texts are among it. */
async function readBy({ call }: Client) {
  const paths = ['/v1/account/me', '/v1/sessions', '/v1/profiles', '/v1/webhooks', '/v1/agent-sessions'];
  const read = async (path: string) => {
    // Like any client: right after its start the service may ask it to come again.
    const text = await until(async () => {
      const answer = await call(`GET ${path}`);
      return answer.status === 200 && answer.text;
    }, inTime);
    return [path, text] as const;
  };
  return Object.fromEntries(await Promise.all([...paths, '/v1/account/audit-log'].map(read)));
}

const headIn = (dataDir: string): string => join(dataDir, 'public-head.json');

/** One visit of a page that counts them in the profile, which is saved then. Resolves with the count. */
async function visit({ call }: Client, profile: string): Promise<unknown> {
  const { json: session } = await call(`POST /v1/profiles/${profile}/launch`, {});
  const path = `/v1/sessions/${String(session.id)}`;
  await call(`POST ${path}/navigate`, { url: 'http://sim.test/counter' });
  const { json } = await call(`GET ${path}/state`);
  await call(`DELETE ${path}`);
  await until(async () => (await call(`GET /v1/profiles/${profile}`)).json.save_state === 'saved', inTime);
  return (json.local_storage as { count?: string } | undefined)?.count;
}

describe('a restore by the written procedure', function () {
  this.timeout(240_000);
  const [backUp = '', restore = ''] = blocksOf('One machine, with embedded stores');
  const backups = tempDir('backups');
  let machine: Machine;
  let stack: TestStack;
  let account: NewAccount;
  let profile: string;
  let before: Awaited<ReturnType<typeof readBy>>;
  let checkpoint: readonly string[];
  after(() => stack.stop());

  const client = () => connect(stack, account);
  const audited = async () => {
    const { status, stdout } = await stack.service('audit', 'verify', '--account', account.account_id);
    expect(status, stdout).to.equal(0);
  };
  const heads = async () => {
    const { stdout } = await stack.service('doctor', '--without-session', '--json');
    const parts = JSON.parse(stdout) as { part: string; state: string; says: string; advice?: string }[];
    return parts.find(({ part }) => part === 'audit heads');
  };

  /** Destroys the machine, and starts on a new one with the copies and the newest head, which it gives. */
  async function onNewMachine(): Promise<KeptHead> {
    const head = readFileSync(headIn(machine.dataDir), 'utf8');
    rmSync(machine.disk, { recursive: true });
    machine = newMachine(backups);
    await machine.run(restore);
    expect(readdirSync(machine.dataDir)).to.have.members([
      'event-store',
      'blobs',
      'postgres',
      'secrets.json',
    ]);
    writeFileSync(headIn(machine.dataDir), head);
    stack = await machine.start();
    return JSON.parse(head) as KeptHead;
  }

  it('serves what there was when the copy was made, and goes on signing', async () => {
    machine = newMachine(backups);
    await run('sh', [join(root, 'infra/deploy/make-secrets.sh'), join(machine.etc, 'secrets')]);
    writeFileSync(join(machine.etc, 'service.env'), await configuration());
    stack = await machine.start();
    account = await stack.account();
    const { call, create } = client();
    await call(`DELETE /v1/sessions/${await create()}`);
    await call('POST /v1/webhooks', {
      url: 'https://example.com/hook',
      events: ['session.profile_save_failed'],
    });
    const agent = await call('POST /v1/agent-sessions', {});
    await call(`POST /v1/agent-sessions/${String(agent.json.id)}/message`, { user_message: 'go back' });
    await call(`DELETE /v1/agent-sessions/${String(agent.json.id)}`);
    profile = String((await call('POST /v1/profiles', { name: 'kept' })).json.id);
    expect(await visit(client(), profile)).to.equal('1');
    before = await readBy(client());
    expect(JSON.parse(before['/v1/sessions'] ?? '')).to.have.nested.property('data.length', 2);
    checkpoint = await grownBeyond(stack, 0);
    await stack.stop();
    await machine.run(backUp);

    await onNewMachine();
    expect(await readBy(client())).to.deep.equal(before);
    await audited();
    expect(await visit(client(), profile)).to.equal('2');
    const next = await grownBeyond(stack, sizeOf(checkpoint));
    expect(next[0]).to.equal(checkpoint[0]);
    expect(await heads()).to.have.property('state', 'well');
    await stack.stop();
  });

  it('of an older copy serves it, and signs nothing until a new log names the newest head', async () => {
    const { origin, size, root: rootHash } = await onNewMachine();
    expect(await readBy(client())).to.deep.equal(before);
    await audited();
    expect(await visit(client(), profile)).to.equal('2');
    const found = await until(async () => {
      const finding = await heads();
      return finding?.state === 'ill' && finding;
    }, inTime);
    expect(found.says).to.include('does not lead to the public head');
    expect(found.advice).to.include('audit new-log');
    expect((await client().call('GET /v1/account/audit-log/checkpoint')).status).to.equal(503);
    expect(readFileSync(join(stack.dataDir, 'logs/processes.log'), 'utf8')).to.include(
      'PublicHeadContradicted',
    );

    expect((await stack.service('audit', 'new-log')).status).to.equal(0);
    const next = await until(async () => {
      const newest = await publicCheckpoint(stack);
      return newest[0] !== origin && newest;
    }, inTime);
    expect(next).to.include(`follows ${origin} ${size} ${rootHash}`);
    await until(async () => (await heads())?.state === 'well', inTime);
  });
});
