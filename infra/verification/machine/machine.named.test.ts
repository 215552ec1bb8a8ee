import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ensureDebianPackages, machinePackages } from '../../main/bootstrap/debian-packages.mjs';
import { root } from '../stack/restoring.ts';
import { until } from '../testbed/index.ts';
import { makeDisks } from './disks.ts';
import { checkout, documented, packagesOf, setUp } from './documented.ts';
import type { Machine } from './machine.ts';
import { asNode, asRoot, runsSuite } from './suite.ts';
import { startVirtualMachine } from './virtual-machine.ts';

/** Long enough for a machine that is emulated beside other work. */
const inTime = { limitMs: 900_000, everyMs: 2_000 };
const [written = '', start = ''] = documented['One machine with systemd'];
const deployed = '/opt/service/infra/deploy';
const unitGroup = '/sys/fs/cgroup/system.slice/service-node.service';
const say = (text: string): void => void process.stdout.write(`      ${text}\n`);

describe('the units on a machine of its own, with Debian and systemd', function () {
  this.timeout(1_200_000);
  let machine: Machine;
  let stop: (() => Promise<unknown>) | undefined;

  before(async () => {
    const missing = ensureDebianPackages(machinePackages);
    if (process.getuid?.() !== 0 || missing.length > 0)
      throw new Error(`This is for root, with Debian's packages ${Object.keys(machinePackages).join(' ')}.`);
    machine = await startVirtualMachine(await makeDisks(packagesOf([written])));
    stop = machine.stop;
  });
  after(() => stop?.());
  afterEach(async function () {
    if (this.currentTest?.state !== 'failed' || stop === undefined) return;
    const { said } = await machine.run(
      'journalctl --no-pager -n 60; tail -n 5 /var/lib/service*/logs/*.log || :',
    );
    say(said.slice(-8_000));
  });

  it('boots, with control groups of version 2', async () => {
    const at = performance.now();
    await machine.booted();
    const about =
      '. /etc/os-release; echo "$PRETTY_NAME, Linux $(uname -r), $(systemctl --version | head -n 1)"';
    say(`${await machine.must(about)}, after ${Math.round((performance.now() - at) / 1000)} s`);
    expect(await machine.must('stat -fc %T /sys/fs/cgroup')).to.equal('cgroup2fs');
  });

  it('is set up by the documented commands', async () => {
    await machine.must(setUp(), { cwd: checkout, limitMs: 900_000 });
    await machine.must(start.split('\n')[0] ?? '', { cwd: deployed });
    const users = await machine.must('systemctl show -p User --value service service-node');
    expect(users.split(/\s+/)).to.deep.equal(['service', 'service-node']);
  });

  it('is exposed as little as the document says', async () => {
    const text = readFileSync(join(root, 'docs/deployment.md'), 'utf8');
    for (const unit of ['service.service', 'service-node.service']) {
      const said = await machine.must(`systemd-analyze security --no-pager ${unit} | tail -n 1`);
      say(said);
      const exposure = /: ([\d.]+) /.exec(said)?.[1] ?? '';
      expect(text).to.match(new RegExp(`\`${unit}\`\\s+${exposure.replace('.', '[.]')}\\b`));
    }
  });

  it('has a node that limits memory, threads and share of the processors by control groups', async () => {
    const log = '/var/lib/service-node/logs/node.log';
    const line = await until(async () => {
      const { said } = await machine.run(`grep -h 'enforced by these means' ${log} | tail -n 1`);
      return said.startsWith('{') && said;
    }, inTime);
    const held = Object.fromEntries(
      ['memory', 'threads', 'cpu', 'processors'].map((name) => [name, 'control group']),
    );
    expect(JSON.parse(line)).to.include(held);
    expect((await machine.must(`cat ${unitGroup}/cgroup.subtree_control`)).split(' ')).to.have.members([
      ...['cpu', 'cpuset', 'memory', 'pids'],
    ]);
    expect(await machine.must(`cat ${unitGroup}/memory.max ${unitGroup}/pids.max`)).to.equal('max\nmax');
    const { said } = await machine.run(`grep -c -e 'WITHOUT namespaces' -e 'runs as root' ${log}`);
    expect(said.trim()).to.equal('0');
  });

  it('has embedded stores that start within the restrictions of their unit', async () => {
    await until(async () => (await machine.run('pgrep -u service -f bin/postgres')).status === 0, inTime);
    expect(await machine.must('systemctl show -p NRestarts --value service')).to.equal('0');
  });

  it('stops, and leaves nothing', async () => {
    for (const unit of ['service-node', 'service']) {
      const at = performance.now();
      await machine.must(`systemctl stop ${unit}`);
      say(`${unit} stopped after ${((performance.now() - at) / 1000).toFixed(1)} s`);
      expect((await machine.run(`pgrep -u ${unit}`)).said).to.equal('');
      expect((await machine.run(`ls -d /sys/fs/cgroup/system.slice/${unit}.service`)).status).not.to.equal(0);
    }
  });

  for (const [title, within] of [
    ['a unit of root’s', asRoot],
    ['the node’s unit, as its user', asNode],
  ] as const)
    it(`has a kernel that enforces the limits of groups below ${title}`, async () => {
      const { status, said } = await machine.run(within(runsSuite), { limitMs: 1_100_000 });
      say(/\d+ passing.*/.exec(said)?.[0] ?? '');
      expect(status, said).to.equal(0);
    });
});
