import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { composeFolder, type ComposeService } from '../../testing/compose.ts';
import type { Given } from '../../testing/environment.ts';

const run = promisify(execFile);

/** Podman and buildah with storage, volumes and networks below a directory of their own, so that nothing of them stays. */
export interface Podman {
  /** Environment that makes programs use that directory. */
  readonly environment: NodeJS.ProcessEnv;
  /** Resolves with the output. Rejects with what it complained about. */
  run(...args: readonly string[]): Promise<string>;
  /** Ends all containers and removes the networks. */
  stop(): Promise<void>;
}

export function podmanIn(directory: string): Podman {
  const environment = { ...process.env, ...configured((name) => join(directory, name)) };
  const podman: Podman['run'] = async (...args) => {
    const { stdout } = await run('podman', args, { env: environment, maxBuffer: 64 * 1024 * 1024 });
    return stdout.trim();
  };
  return {
    environment,
    run: podman,
    stop: async () => {
      await podman('rm', '--all', '--force', '--time', '0');
      await podman('network', 'prune', '--force');
    },
  };
}

/** Writes the configuration, and returns the variables that name it. */
function configured(at: (name: string) => string): NodeJS.ProcessEnv {
  for (const name of ['networks', 'volumes']) mkdirSync(at(name), { recursive: true });
  const write = (name: string, lines: readonly string[]) => writeFileSync(at(name), `${lines.join('\n')}\n`);
  write('storage.conf', [
    '[storage]',
    'driver = "overlay"',
    `graphroot = "${at('storage')}"`,
    `runroot = "${at('run')}"`,
  ]);
  write('containers.conf', [
    '[containers]',
    // Podman's own default is more than runc may set where this runs in a container itself.
    'default_ulimits = ["nofile=16384:16384", "nproc=16384:16384"]',
    '[engine]',
    'runtime = "runc"',
    'cgroup_manager = "cgroupfs"',
    'events_logger = "none"',
    `static_dir = "${at('libpod')}"`,
    `tmp_dir = "${at('tmp')}"`,
    `volume_path = "${at('volumes')}"`,
    '[network]',
    'network_backend = "netavark"',
    `network_config_dir = "${at('networks')}"`,
  ]);
  return { CONTAINERS_STORAGE_CONF: at('storage.conf'), CONTAINERS_CONF: at('containers.conf') };
}

const each = (flag: string, values: readonly string[] = []): readonly string[] =>
  values.flatMap((value) => [flag, value]);

/** Docker's words where podman has others, and files from where compose looks for them. */
const securityOption = (option: string): string =>
  option
    .replace(/^systempaths=unconfined$/, 'unmask=ALL')
    .replace(/^seccomp=(.+)/, (_, file: string) => `seccomp=${join(composeFolder, file)}`);

/** Arguments of `podman run` that start a service as compose does. `told` is added to its environment. */
export function argumentsOf(
  name: string,
  service: ComposeService,
  { secrets, told = {} }: { readonly secrets: string; readonly told?: Given },
): readonly string[] {
  const environment = Object.entries({ ...service.environment, ...told });
  const { user, mem_limit: memory, pids_limit: pids, shm_size: shared } = service;
  return [
    ...each('--name', [name]),
    ...each(
      '--network',
      service.networks.map((network) => `${network}:alias=${name}`),
    ),
    ...each('--user', user ? [user] : []),
    ...(service.read_only ? ['--read-only', '--read-only-tmpfs=false'] : []),
    ...each('--cap-drop', service.cap_drop),
    ...each('--security-opt', service.security_opt?.map(securityOption)),
    ...each('--tmpfs', service.tmpfs),
    ...each('--memory', memory ? [memory] : []),
    ...each('--pids-limit', pids ? [String(pids)] : []),
    ...each('--shm-size', shared ? [shared] : []),
    ...each(
      '--env',
      environment.map(([variable, value]) => `${variable}=${value}`),
    ),
    ...each(
      '--volume',
      service.secrets?.map((secret) => `${join(secrets, secret)}:/run/secrets/${secret}:ro`),
    ),
    ...each('--volume', service.volumes),
    service.image,
    ...(service.command ?? []),
  ];
}
