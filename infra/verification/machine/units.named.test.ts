import { join } from 'node:path';
import { expect } from 'chai';
import { ensureDebianPackages, treePackages } from '../../main/bootstrap/debian-packages.mjs';
import { blocksOf, readBy, visit } from '../stack/restoring.ts';
import { tempDir, until } from '../testbed/index.ts';
import { checkout, documented, packagesOf, setUp } from './documented.ts';
import { copyCheckout, makeDirectory } from './files.ts';
import { httpsClient } from './https-client.ts';
import type { Machine } from './machine.ts';
import { startInNamespaces } from './namespaces.ts';
import { quoted } from './suite.ts';

/** On the directory that both machines have. */
const copies = '/srv/machine/copies';
const inTime = { limitMs: 120_000, everyMs: 1_000 };
const deployed = '/opt/service/infra/deploy';
const [written = '', start = ''] = documented['One machine with systemd'];
const [account = ''] = documented['First account'];
const [, nginx = ''] = documented.TLS;
const [timer = '', alerts = ''] = documented['Backups and alerts'];
const [backUp = '', restore = ''] = blocksOf('One machine, with embedded stores');
/** One that neither unit has been told of. */
const unknownSecret = '/etc/service/secrets/LLM_API_KEY';
const dropIns = '/etc/systemd/system/service-node.service.d';
const say = (text: string): void => void process.stdout.write(`      ${text}\n`);

/** Effective capabilities, whether privileges can be gained, and filter of system calls of each of the units' processes. */
const statusOf = `for unit in service service-node; do for pid in $(pgrep -u $unit); do
  awk -v name="$(cat /proc/$pid/comm)" '/^CapEff|^NoNewPrivs|^Seccomp:/ { v[$1] = $2 }
    END { if ("CapEff:" in v) print name, v["CapEff:"], v["NoNewPrivs:"], v["Seccomp:"] }' /proc/$pid/status 2>/dev/null || :
done; done`;

/** A page of the machine that counts visits in the browser. */
const page = 'http://127.0.0.1:9099/';
const site = `require('node:http').createServer((request, response) => {
  response.setHeader('content-type', 'text/html');
  response.end('<title>Counted</title><script>localStorage.count = 1 + Number(localStorage.count ?? 0)</script>');
}).listen(9099, '127.0.0.1')`;

/** What an authority would give, for the name that customers use. */
const certificate = `mkdir -p /etc/service/public-tls && cd /etc/service/public-tls
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=service.example -addext subjectAltName=DNS:service.example \\
  -keyout tls.key -out tls.crt`;

interface CreatedAccount {
  readonly account_id: string;
  readonly api_key: string;
}

describe('the units on Debian’s systemd, with browsers, HTTPS, alerts and a backup', function () {
  this.timeout(600_000);
  let files: string;
  let shared: string;
  let machine: Machine;
  const stops: (() => Promise<unknown>)[] = [];
  let apiKey: string;
  let accountId: string;
  let profile: string;
  let earlier: Awaited<ReturnType<typeof readBy>>;

  const newMachine = async () => {
    machine = startInNamespaces(files, shared);
    stops.push(machine.stop);
    await machine.booted();
    await machine.must(`systemd-run --quiet --unit=site node -e ${quoted(site)}`);
  };
  const stopMachine = async () => {
    await Promise.all(stops.splice(0).map((stop) => stop()));
  };
  const customer = () => httpsClient(machine, apiKey);
  const isServing = async () => (await customer().call('GET /readyz')).status === 200;
  const doctor = () => machine.must('service-command doctor');

  before(async () => {
    const missing = ensureDebianPackages(treePackages);
    if (process.getuid?.() !== 0 || missing.length > 0)
      throw new Error(`This is for root, with Debian's packages ${Object.keys(treePackages).join(' ')}.`);
    files = join(await makeDirectory(packagesOf([written, alerts])), 'files');
    shared = tempDir('shared');
    await copyCheckout(join(shared, 'checkout'));
  });
  after(stopMachine);
  afterEach(async function () {
    if (this.currentTest?.state !== 'failed' || stops.length === 0) return;
    const { said } = await machine.run(
      'journalctl --no-pager -n 60; tail -n 5 /var/lib/service*/logs/*.log || :',
    );
    say(said.slice(-8_000));
  });

  it('are set up, and start, by the documented commands', async () => {
    const at = performance.now();
    await newMachine();
    await machine.must(setUp(), { cwd: checkout });
    await machine.must('echo OUTBOUND_ALLOW=127.0.0.0/8 | tee -a service.env >>node.env', {
      cwd: '/etc/service',
    });
    await machine.must(certificate);
    await machine.must(nginx, { cwd: deployed });
    await machine.must(start.split('\n')[0] ?? '', { cwd: deployed });
    await until(isServing, inTime);
    const created = await machine.must(`${account.split('#')[0] ?? ''} --json`);
    ({ account_id: accountId, api_key: apiKey } = JSON.parse(created) as CreatedAccount);
    say(await until(doctor, inTime));
    await machine.must(`echo ${'k'.repeat(40)} >${unknownSecret}`);
    expect(await doctor()).to.match(/^! {2}configuration .*: LLM_API_KEY *\n/);
    await machine.must(`rm ${unknownSecret}`);
    expect(await doctor()).to.match(/^✓ {2}configuration /);
    say(`after ${Math.round((performance.now() - at) / 1000)} s`);
  });

  it('serve a session on WebKit over HTTPS, whose profile is kept', async () => {
    const { call } = customer();
    profile = String((await call('POST /v1/profiles', { name: 'kept' })).json.id);
    expect(await visit(customer(), profile, page)).to.equal('1');
    expect(await visit(customer(), profile, page)).to.equal('2');
    const { json } = await call('POST /v1/sessions', {});
    const session = `/v1/sessions/${String(json.id)}`;
    await call(`POST ${session}/navigate`, { url: page });
    const { status, json: state } = await call(`GET ${session}/state`);
    expect(status).to.equal(200);
    expect(state).to.include({ title: 'Counted', url: page });
    expect((await call(`DELETE ${session}`)).status).to.be.within(200, 204);
  });

  it('run without privileges, and show no secret', async () => {
    const secrets = await machine.must('for file in /etc/service/secrets/*; do cat "$file"; echo; done');
    const processes = (await machine.must(statusOf)).split('\n').map((line) => line.split(' '));
    expect(processes.length).to.be.greaterThan(10);
    for (const [name, privileges, noNew, filter] of processes)
      expect({ name, privileges, noNew, filter }).to.deep.equal({
        ...{ name, privileges: '0000000000000000', noNew: '1', filter: '2' },
      });
    const shown = await machine.must(
      'for unit in service service-node; do for pid in $(pgrep -u $unit); do cat /proc/$pid/environ /proc/$pid/cmdline 2>/dev/null || :; done; done | tr "\\0" "\\n"',
    );
    expect(shown).to.include('MASTER_KEY_FILE');
    const texts = secrets.split('\n').filter((secret) => secret !== '');
    expect(texts.length).to.be.above(1);
    expect(texts.filter((text) => shown.includes(text))).to.deep.equal([]);
  });

  it('are watched by Debian’s Prometheus and Alertmanager', async () => {
    await machine.must(alerts, { cwd: deployed });
    const firing = 'http://127.0.0.1:9090/api/v1/alerts';
    await until(async () => {
      const said = await machine.must('curl -sS http://127.0.0.1:9090/api/v1/targets?state=active');
      const { data } = JSON.parse(said) as { data: { activeTargets: { health: string }[] } };
      return data.activeTargets.length === 7 && data.activeTargets.every(({ health }) => health === 'up');
    }, inTime);
    const { data } = JSON.parse(await machine.must(`curl -sS ${firing}`)) as {
      data: { alerts: { state: string }[] };
    };
    expect(data.alerts.filter(({ state }) => state === 'firing')).to.deep.equal([]);
  });

  it('are copied by the backup’s unit, and serve on', async () => {
    await machine.must(timer, { cwd: deployed });
    expect(await machine.must('systemctl is-active service-backup.timer')).to.equal('active');
    await machine.must(`mkdir ${dropIns} && echo '[Service]' >${dropIns}/override.conf`);
    earlier = await readBy(customer());
    await machine.must(backUp);
    await until(isServing, inTime);
    expect(await readBy(customer())).to.deep.equal(earlier);
    await machine.must(`mkdir -p ${copies} && cp -p /var/backups/service/*.tgz ${copies}`);
  });

  it('stop, and leave nothing', async () => {
    for (const unit of ['service-node', 'service']) {
      const at = performance.now();
      await machine.must(`systemctl stop ${unit}`);
      say(`${unit} stopped after ${((performance.now() - at) / 1000).toFixed(1)} s`);
      expect((await machine.run(`pgrep -u ${unit}`)).said).to.equal('');
    }
    expect(await machine.must('find /var/lib/service-node -path "*/browsers/*"')).to.equal('');
    await stopMachine();
  });

  it('are restored on an empty machine by the written procedure', async () => {
    await newMachine();
    await machine.must(setUp(), { cwd: checkout });
    await machine.must(certificate);
    await machine.must(nginx, { cwd: deployed });
    await machine.must(`mkdir -p /var/backups/service && cp -p ${copies}/*.tgz /var/backups/service`);
    await machine.must('rm -r /etc/service/secrets /etc/service/*.env && systemctl daemon-reload');
    await machine.must(restore);
    await machine.must('systemctl enable --now service service-node');
    await until(isServing, inTime);
    say(await until(doctor, inTime));
    expect(await readBy(customer())).to.deep.equal(earlier);
    expect(await machine.must(`cat ${dropIns}/override.conf`)).to.equal('[Service]');
    await machine.must(`service-command audit verify --account ${accountId}`);
    expect(await visit(customer(), profile, page)).to.equal('3');
  });
});
