import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { caller } from '../../http/testing.ts';
import type { KeptHead } from '../../notes/kept-head.ts';
import { freePort } from '../../platform/free-port.ts';
import { connect } from '../faults/client.ts';
import { startStack, tempDir, until, type NewAccount, type TestStack } from '../testbed/index.ts';
import { blocksOf, inTime, newMachine, readBy, root, visit, type Machine } from './restoring.ts';

const run = promisify(execFile);
/** Uses a fixed port, since signed heads include the address. */
const configuration = async () => `PORT=${await freePort()}\nANCHOR_INTERVAL=1s\nAUDIT_HEAD_INTERVAL=1s\n`;

/** Lines of the newest public checkpoint: origin, size, root and the rest. */
async function publicCheckpoint(stack: TestStack): Promise<readonly string[]> {
  const path = 'GET /.well-known/audit-log/checkpoint';
  const answer = await caller(Number(new URL(stack.baseUrl).port))(path, { token: null });
  return answer.status === 200 ? answer.text.split('\n') : [];
}

const sizeOf = ([, size]: readonly string[]): number => Number(size ?? 0);

/** Waits for a checkpoint with a larger size. */
const grownBeyond = (stack: TestStack, size: number) =>
  until(async () => {
    const checkpoint = await publicCheckpoint(stack);
    return sizeOf(checkpoint) > size && checkpoint;
  }, inTime);

const headIn = (dataDir: string): string => join(dataDir, 'public-head.json');

const startOn = ({ dataDir, environment }: Machine) =>
  startStack({ dataDir, env: environment(), limitMs: 120_000 });

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

  /** Destroys the machine, and starts a new one with the copies and the newest head. Resolves to that head. */
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
    stack = await startOn(machine);
    return JSON.parse(head) as KeptHead;
  }

  it('serves what there was when the copy was made, and goes on signing', async () => {
    machine = newMachine(backups);
    await run('sh', [join(root, 'infra/deploy/make-secrets.sh'), join(machine.etc, 'secrets')]);
    writeFileSync(join(machine.etc, 'service.env'), await configuration());
    writeFileSync(join(machine.etc, 'node.env'), 'NODE_NAME=kept\n');
    mkdirSync(join(machine.units, 'service.service.d'));
    writeFileSync(join(machine.units, 'service.service.d/override.conf'), '[Service]\n');
    stack = await startOn(machine);
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
    expect(readFileSync(join(machine.etc, 'node.env'), 'utf8')).to.equal('NODE_NAME=kept\n');
    expect(readdirSync(machine.etc)).to.have.members(['secrets', 'service.env', 'node.env']);
    expect(readdirSync(machine.units, { recursive: true })).to.include('service.service.d/override.conf');
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
