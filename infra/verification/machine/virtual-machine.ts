import { spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../platform/free-port.ts';
import type { Disks } from './disks.ts';
import { machineOf, type Machine } from './machine.ts';

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

/**
 * Boots the kernel of the disks directly. What is written to them is forgotten at the end. The one way in is ssh, on a port of this
 * machine's loopback.
 */
export async function startVirtualMachine(disks: Disks): Promise<Machine> {
  const port = await freePort();
  const log = join(disks.own, 'console.log');
  const child = spawn('qemu-system-x86_64', argumentsFor(disks, port, log), {
    stdio: ['ignore', 'ignore', openSync(log, 'a')],
  });
  const enter = ['ssh', ...sshOptions(disks.key, port), 'root@127.0.0.1'];
  return machineOf({ child, enter: () => enter, log, bootLimitMs });
}

const argumentsFor = ({ directory, checkout }: Disks, port: number, log: string): readonly string[] => [
  ...['-machine', 'q35', ...processor(), '-smp', '2', '-m', String(memoryMiB)],
  ...['-display', 'none', '-chardev', `file,id=console,path=${log},append=on`, '-serial', 'chardev:console'],
  ...['-device', 'virtio-rng-pci'],
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
