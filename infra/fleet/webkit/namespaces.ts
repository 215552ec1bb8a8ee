import { execFile } from 'node:child_process';
import { readlinkSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../../platform/error-message.ts';

/** An installed file that a browser sees at the path of another. */
export interface StandIn {
  readonly place: string;
  readonly file: string;
}

export interface Contents {
  /** The only directory that can be written to, besides an empty `/tmp` and `/dev/shm`. */
  readonly directory: string;
  /** Directories and files that can be read, besides installed programs and their settings. */
  readonly readable: readonly string[];
  /** Installed files that are seen in place of others. */
  readonly standIns?: readonly StandIn[] | undefined;
  /** Directories that are not seen, not even below those of programs. `directory` may be in one of them. */
  readonly hidden?: readonly string[] | undefined;
  /** Directories of installed programs, which can be read. Default: those of Debian and of self-built software. */
  readonly programs?: readonly string[];
}

/** Bytes that a browser may write to `/tmp` and `/dev/shm`, which are memory. */
const temporaryBytes = String(64 * 1024 * 1024);
const sharedBytes = String(256 * 1024 * 1024);

/** Directories in which Debian and self-built software install programs, libraries and data. */
const usualPrograms = ['/usr', '/opt', '/bin', '/sbin', '/lib', '/lib32', '/lib64'];
const isBelow = (path: string, places: readonly string[]): boolean =>
  places.some((place) => path.startsWith(`${place}/`));
/** Settings of installed programs: fonts, certificates, libraries, the time zone. None has a secret in it. */
const settings = [
  ...['/etc/alternatives', '/etc/fonts', '/etc/gtk-3.0', '/etc/ld.so.cache', '/etc/localtime', '/etc/pki'],
  ...['/etc/nsswitch.conf', '/etc/passwd', '/etc/group', '/etc/ssl', '/etc/X11', '/var/cache/fontconfig'],
];

const readOnly = (path: string): readonly string[] => ['--ro-bind-try', path, path];

/**
 * Arguments that show a directory of programs. A link into `/usr`, such as Debian's `/lib`, is copied as a link, which
 * costs less than a mount.
 */
function program(path: string): readonly string[] {
  const target = copiedTarget(path);
  return target === undefined ? readOnly(path) : ['--symlink', target, path];
}

/** Target of a link into `/usr`; undefined if it is anything else. */
function copiedTarget(path: string): string | undefined {
  const target = targetOf(path);
  return target !== undefined && resolve('/', target).startsWith('/usr/') ? target : undefined;
}

function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // It is a directory, or does not exist.
    return undefined;
  }
}

/** The paths at which a browser would see these directories below those of programs, which may be links; the outer ones first. */
const belowPrograms = (directories: readonly string[], programs: readonly string[]): readonly string[] => {
  const bound = programs.filter((place) => copiedTarget(place) === undefined);
  const seenAt = (path: string) =>
    bound.flatMap((place) => {
      const real = existing(place);
      return real !== undefined && isBelow(path, [real]) ? [place + path.slice(real.length)] : [];
    });
  return directories
    .flatMap((path) => existing(path) ?? [])
    .flatMap(seenAt)
    .sort((one, other) => one.length - other.length);
};

function existing(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // There is nothing to hide.
    return undefined;
  }
}

/** No terminals and no hardware. */
const devices = ['null', 'zero', 'full', 'random', 'urandom', 'tty'];
/** WebKit's own sandbox does not start without these; empty ones suffice. */
const wanted = ['/sys/block', '/sys/bus', '/sys/class', '/sys/dev', '/sys/devices'];

/**
 * A command line prefix that runs a program in its own namespaces, by bubblewrap, on which WebKit's packages depend:
 * - it sees only its own processes, shared memory and loopback, and has no network;
 * - it sees `Contents` of the file system and nothing of the node, its data or other browsers;
 * - it has no capabilities, even when the node runs as root;
 * - all of it ends with its first process, and with the node.
 */
export function inNamespaces(
  bubblewrap: string,
  { directory, readable, standIns = [], hidden = [], programs = usualPrograms }: Contents,
): readonly string[] {
  const covered = belowPrograms(hidden, programs);
  const alsoReadable = readable.filter((path) => !isBelow(path, programs) || isBelow(path, covered));
  return [
    ...[bubblewrap, '--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-net', '--cap-drop', 'ALL'],
    ...['--die-with-parent', '--proc', '/proc', '--size', temporaryBytes, '--tmpfs', '/tmp'],
    ...['--tmpfs', '/dev', '--size', sharedBytes, '--tmpfs', '/dev/shm'],
    ...['--symlink', '/proc/self/fd', '/dev/fd'],
    ...devices.flatMap((name) => ['--dev-bind', `/dev/${name}`, `/dev/${name}`]),
    // X servers of an unprivileged user cannot create it.
    ...['--perms', '1777', '--dir', '/tmp/.X11-unix'],
    ...wanted.flatMap((path) => ['--dir', path]),
    ...programs.flatMap(program),
    ...covered.flatMap((path) => ['--tmpfs', path]),
    ...[...settings, ...alsoReadable].flatMap(readOnly),
    ...standIns.flatMap(({ place, file }) => ['--ro-bind', file, place]),
    ...['--bind', directory, directory],
    ...covered.flatMap((path) => ['--remount-ro', path]),
    // The mounts' root is memory without a size limit: it is made read-only once all mounts are in place.
    ...['--remount-ro', '/dev', '--remount-ro', '/', '--chdir', directory, '--'],
  ];
}

export type Trial = Pick<Contents, 'directory' | 'hidden'>;

/** The reason why namespaces are unavailable here, as in many containers; undefined if they work. */
export async function namespacesRefused(bubblewrap: string, trial: Trial): Promise<string | undefined> {
  const [, ...args] = inNamespaces(bubblewrap, { ...trial, readable: [] });
  try {
    await promisify(execFile)(bubblewrap, [...args, '/usr/bin/true'], { timeout: 10_000 });
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
