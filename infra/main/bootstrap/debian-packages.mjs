import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const inPath = (program) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

const typelib = (name) => library(`girepository-1.0/${name}.typelib`);

const library = (path) => [...libraryFolders()].some((folder) => existsSync(join(folder, path)));

const libraryFolders = () =>
  ['/usr/lib', '/usr/local/lib']
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => [folder, ...readdirSync(folder).map((entry) => join(folder, entry))]);

/** GStreamer and its bindings, which show a browser's window to people who watch. */
const videoPackages = {
  'gir1.2-gstreamer-1.0': () => typelib('Gst-1.0'),
  'gstreamer1.0-plugins-base': () => library('gstreamer-1.0/libgstvideoconvertscale.so'),
  'gstreamer1.0-plugins-good': () => library('gstreamer-1.0/libgstximagesrc.so'),
};

/** Packages that a real WebKit session needs: the runtime of our browser host, its bindings, a display with a touchscreen. */
export const browserPackages = {
  gjs: () => inPath('gjs'),
  'gir1.2-webkit2-4.1': () => typelib('WebKit2-4.1'),
  'xserver-xorg-core': () => library('xorg/Xorg'),
  'xserver-xorg-video-dummy': () => library('xorg/modules/drivers/dummy_drv.so'),
  ...videoPackages,
};

/** Packages to test the queue on Redis. */
export const redisPackages = { 'redis-server': () => inPath('redis-server') };

/** A browser that opens pages as people do, for tests. Without Chromium's own windows, which would take half of its processor time. */
export const chromiumPackages = { 'chromium-headless-shell': () => inPath('chromium-headless-shell') };

/**
 * Packages that tests and benchmarks need in addition: Redis, an object store with the S3 protocol (OpenStack Swift),
 * plain WebDriver and zstd for comparison, a browser for viewers, a PDF reader, a checker of alert rules, libraries
 * that fake the clock and host names, a server that terminates TLS, and a checker of systemd units.
 */
export const testPackages = {
  ...browserPackages,
  ...redisPackages,
  'python3-swift': () => library('python3/dist-packages/swift'),
  'webkit2gtk-driver': () => inPath('WebKitWebDriver'),
  zstd: () => inPath('zstd'),
  ...chromiumPackages,
  'poppler-utils': () => inPath('pdftotext'),
  prometheus: () => inPath('promtool'),
  libfaketime: () => library('faketime/libfaketime.so.1'),
  'libnss-wrapper': () => library('libnss_wrapper.so'),
  systemd: () => inPath('systemd-analyze'),
  nginx: () => inPath('nginx'),
};

/** Tools that build and run images, for the tests of containers. */
export const containerPackages = {
  buildah: () => inPath('buildah'),
  mmdebstrap: () => inPath('mmdebstrap'),
  podman: () => inPath('podman'),
  runc: () => inPath('runc'),
  netavark: () => library('podman/netavark'),
  'aardvark-dns': () => library('podman/aardvark-dns'),
  iptables: () => inPath('iptables'),
};

/** Tools to simulate hosts by network namespaces, with links and firewalls. */
export const hostPackages = {
  iproute2: () => inPath('ip') && inPath('tc'),
  nftables: () => inPath('nft'),
};

/** Tools to make the files of a machine with Debian. */
export const treePackages = { mmdebstrap: () => inPath('mmdebstrap') };

/** Tools to build and run virtual machines. */
export const machinePackages = {
  'qemu-system-x86': () => inPath('qemu-system-x86_64'),
  ...treePackages,
  e2fsprogs: () => existsSync('/sbin/mke2fs'),
  'openssh-client': () => inPath('ssh'),
};

/** Tools to back up an operator's own stores, and the database for the tests of that. */
export const restorePackages = {
  rclone: () => inPath('rclone'),
  postgresql: () => library('postgresql') && inPath('pg_dump'),
};

/** Installs missing packages, as root or by a password-less sudo. Returns those that it could not install. */
export function ensureDebianPackages(packages) {
  const missing = () => Object.keys(packages).filter((name) => !packages[name]());
  const wanted = missing();
  if (wanted.length === 0) return [];
  const prefix = privilege();
  if (!inPath('apt-get') || prefix === undefined) return wanted;
  process.stderr.write(`Installing ${wanted.join(' ')} (apt-get) …\n`);
  // The first try prints nothing: on a fresh machine it fails, because the package lists are missing.
  if (!install(prefix, wanted, 'ignore')) {
    apt(prefix, ['update']);
    install(prefix, wanted);
  }
  return missing();
}

/** Installs missing packages, or prints the command for it and exits. `purpose`: a sentence that says why. */
export function needDebianPackages(packages, purpose) {
  const missing = ensureDebianPackages(packages);
  if (missing.length === 0) return;
  process.stderr.write(`${purpose} Missing: ${installCommand(missing)}\n`);
  process.exit(1);
}

export const installCommand = (packages) =>
  `sudo apt-get install --no-install-recommends ${packages.join(' ')}`;

const install = (prefix, packages, complaints) =>
  apt(prefix, ['install', '-y', '--no-install-recommends', ...packages], complaints);

function apt(prefix, args, complaints = 2) {
  const [command, ...rest] = [...prefix, 'apt-get', '-qq', ...args];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(command, rest, { env, stdio: ['ignore', 'ignore', complaints] }).status === 0;
}

/** The words before `apt-get`; undefined if this user may not install packages. */
function privilege() {
  if (process.getuid?.() === 0) return [];
  return spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0
    ? ['sudo', '-n', 'DEBIAN_FRONTEND=noninteractive']
    : undefined;
}
