import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { tempDir } from '../../verification/testbed/index.ts';
import { runService } from '../../verification/testbed/service.ts';
import { writeStack } from '../supervisor/stack-file.ts';
import { commandEnvironment, unknownToStack } from './environment.ts';

const run = fileURLToPath(new URL('../run.mjs', import.meta.url));
const address = 'http://127.0.0.1:1';
const [kept, given] = ['k'.repeat(43), 'g'.repeat(43)];

describe('the variables of an operator’s command', () => {
  let supervisor: ChildProcess;
  const dataDir = tempDir('data');

  before(async () => {
    writeFileSync(join(dataDir, 'mail-server'), 'smtp://mail.example\n');
    const secrets = { MASTER_KEY: kept, CURSOR_KEY: kept, METRICS_TOKEN: kept };
    writeFileSync(join(dataDir, 'secrets.json'), JSON.stringify(secrets));
    supervisor = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', run, 'supervisor'], {
      cwd: dataDir,
      env: {
        ...{ HOST: '127.0.0.2', FLEET_TLS: 'certificates', KEY_GRACE: '2h', KEY_CACHE_TTL: '2s' },
        ...{ SMTP_URL_FILE: 'mail-server', METRICS_TOKEN_FILE: 'missing', CURSOR_KEY: given, MASTER_KEY: '' },
        ...{ READY_PEERS: address, DATA_DIR: '.', PORT: '0', HOME: '/root' },
      },
    });
    await once(supervisor, 'spawn');
    writeStack(dataDir, {
      ready: true,
      ...{ base_url: address, write_url: address, read_url: address },
      processes: { supervisor: Number(supervisor.pid), gateway: Number(supervisor.pid) },
      environment: { DATA_DIR: dataDir, PORT: '8080' },
    });
  });
  after(() => supervisor.kill('SIGKILL'));

  it('are the shell’s, those that the running stack was given, and the secrets of its directory for all others', () => {
    expect(commandEnvironment({ DATA_DIR: dataDir, KEY_CACHE_TTL: '1s', KEY_GRACE: '' })).to.deep.equal({
      ...{
        HOST: '127.0.0.2',
        FLEET_TLS: join(dataDir, 'certificates'),
        KEY_GRACE: '2h',
        KEY_CACHE_TTL: '1s',
      },
      ...{ SMTP_URL: 'smtp://mail.example', METRICS_TOKEN: '', CURSOR_KEY: given, MASTER_KEY: kept },
      ...{ DATA_DIR: dataDir, PORT: '8080' },
    });
  });

  it('are named where the shell has other values than the stack was started with', () => {
    const same = { HOST: '127.0.0.2', FLEET_TLS: join(dataDir, 'certificates'), KEY_GRACE: '', PORT: '0' };
    const secrets = {
      SMTP_URL: 'smtp://mail.example',
      METRICS_TOKEN: given,
      CURSOR_KEY: given,
      MASTER_KEY: kept,
    };
    const shell = { DATA_DIR: dataDir, ...same, ...secrets };
    expect(unknownToStack(shell)).to.deep.equal([]);
    expect(unknownToStack({ ...shell, PORT: '8080', NO_VARIABLE_OF_OURS: 'x' })).to.deep.equal([]);
    const changed = {
      HOST: '127.0.0.3',
      SMTP_URL: 'smtp://other.example',
      MASTER_KEY: given,
      LLM_API_KEY: 'new',
    };
    expect(unknownToStack({ ...shell, ...changed })).to.have.members(Object.keys(changed));
    expect(unknownToStack({ ...changed, DATA_DIR: tempDir('idle') })).to.deep.equal([]);
  });

  it('say where the processes of the stack are', async () => {
    const { stdout } = await runService(['processes', '--json'], { ...process.env, DATA_DIR: dataDir });
    const processes = JSON.parse(stdout) as { name: string; url: string | null }[];
    expect(processes.find(({ name }) => name === 'gateway')?.url).to.equal('http://127.0.0.2:8080');
  });
});
