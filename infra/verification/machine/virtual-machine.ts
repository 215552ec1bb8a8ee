import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../platform/free-port.ts';
import { until } from '../testbed/index.ts';
import type { Disks } from './disks.ts';
import { quoted } from './suite.ts';

export interface Done {
  readonly status: number;
  /** Standard output and error output. */
  readonly said: string;
}

export interface RunOptions {
  /** The directory in which an operator would be. */
  readonly cwd?: string;
  readonly limitMs?: number;
}

/** A virtual machine without a network, except for a port of this machine's loopback that leads to its ssh. */
export interface VirtualMachine {
  /** Runs a script of a shell as root. */
  run(script: string, options?: RunOptions): Promise<Done>;
  /** The same, for a script that must succeed. Resolves with its output. */
  must(script: string, options?: RunOptions): Promise<string>;
  /** Resolves when systemd has started everything. */
  booted(): Promise<void>;
  stop(): Promise<void>;
}

const memoryMiB = 6144;
/** If QEMU emulates the processor, Debian's units take longer to start than systemd waits by default. */
const patience =
  'systemd.default_timeout_start_sec=900 systemd.default_device_timeout_sec=900 systemd.show_status=no';
const bootLimitMs = 1_000_000;

/**
 * KVM if the processor supports virtualization; otherwise QEMU's emulation. A `/dev/kvm` without that support is far
 * slower than QEMU.
 */
const processor = (): readonly string[] =>
  existsSync('/dev/kvm') && /^flags\s.* (vmx|svm) /m.test(readFileSync('/proc/cpuinfo', 'utf8'))
    ? ['-accel', 'kvm', '-cpu', 'host']
    : ['-accel', 'tcg,thread=multi', '-cpu', 'max'];

/** Boots the kernel directly. What is written to the disks is forgotten at the end. */
export async function startMachine(disks: Disks): Promise<VirtualMachine> {
  const port = await freePort();
  const log = join(disks.own, 'console.log');
  const child = spawn('qemu-system-x86_64', argumentsFor(disks, port, log), {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaints = '';
  child.stderr.on('data', (text) => (complaints += String(text)));
  const run: VirtualMachine['run'] = (script, { cwd = '/root', limitMs = 600_000 } = {}) => {
    const line = `cd ${cwd} && exec bash --norc -euo pipefail -c ${quoted(script)} </dev/null 2>&1`;
    return finished('ssh', [...sshOptions(disks.key, port), 'root@127.0.0.1', line], limitMs);
  };
  const isUp = async () => {
    if (child.exitCode !== null) throw new Error(`The machine ended. ${complaints}`);
    return (await run('systemctl is-system-running', { limitMs: 60_000 })).said.trim() === 'running';
  };
  return {
    run,
    must: async (script, options) => {
      const { status, said } = await run(script, options);
      if (status !== 0) throw new Error(`Ended with ${status}: ${script}\n${said}`);
      return said.trim();
    },
    booted: async () => {
      await until(isUp, { limitMs: bootLimitMs, everyMs: 1_000 }).catch((cause: unknown) => {
        const console = existsSync(log) ? readFileSync(log, 'utf8').slice(-3_000) : '';
        throw new Error(`The machine does not come up.\n${console}`, { cause });
      });
    },
    stop: () => ended(child),
  };
}

const argumentsFor = ({ directory, checkout }: Disks, port: number, log: string): readonly string[] => [
  ...['-machine', 'q35', ...processor(), '-smp', '2', '-m', String(memoryMiB)],
  ...['-display', 'none', '-serial', `file:${log}`, '-device', 'virtio-rng-pci'],
  ...['-kernel', join(directory, 'kernel'), '-initrd', join(directory, 'initrd')],
  ...['-append', `root=/dev/vda rw console=ttyS0 panic=-1 ${patience}`],
  ...['-drive', `file=${join(directory, 'disk')},format=raw,if=virtio,snapshot=on,cache=unsafe`],
  ...['-drive', `file=${checkout},format=raw,if=virtio,readonly=on`],
  ...['-nic', `user,model=virtio-net-pci,restrict=on,hostfwd=tcp:127.0.0.1:${port}-:22`],
];

const sshOptions = (key: string, port: number): readonly string[] => [
  ...['-i', key, '-p', String(port), '-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null'],
  ...['-o', 'LogLevel=ERROR', '-o', 'ConnectTimeout=5', '-o', 'BatchMode=yes'],
];

async function finished(program: string, args: readonly string[], limitMs: number): Promise<Done> {
  try {
    const options = { timeout: limitMs, maxBuffer: 64 * 1024 * 1024 };
    const { stdout, stderr } = await promisify(execFile)(program, args, options);
    return { status: 0, said: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (typeof code !== 'number') throw error;
    return { status: code, said: `${stdout}${stderr}` };
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
