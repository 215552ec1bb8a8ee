import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';

/** Paths of this node's programs. A self-built WebKit is set here. */
export interface WebKitBinaries {
  readonly gjs: string;
  /** An X server that has the video driver `dummy` and the input driver `inputtest`. */
  readonly xorg: string;
  /** A dependency of WebKit, whose sandbox needs it too. */
  readonly bubblewrap: string;
}

export const debianBinaries: WebKitBinaries = {
  gjs: '/usr/bin/gjs',
  xorg: '/usr/lib/xorg/Xorg',
  bubblewrap: '/usr/bin/bwrap',
};

const packages = { gjs: 'gjs', xorg: 'xserver-xorg-core' } as const;
/** Files of packages without a program among the paths above. */
const files = {
  'gir1.2-webkit2-4.1': 'girepository-1.0/WebKit2-4.1.typelib',
  'xserver-xorg-video-dummy': 'xorg/modules/drivers/dummy_drv.so',
};

/** The browser cannot run here. The message names the missing requirements, how to install them, and the alternatives. */
export class WebKitMissing extends Error {
  constructor(missing: readonly string[]) {
    super(
      `The webkit driver needs ${missing.join(', ')}. Install it with\n` +
        `  apt-get install --no-install-recommends ${[...Object.values(packages), ...Object.keys(files)].join(' ')}\n` +
        'or ask for browsers that are only simulated with DRIVER=simulated.',
    );
    this.name = 'WebKitMissing';
  }
}

/** All requirements seem to be met, but no browser starts. The message says where to look. */
export class NoBrowserStarts extends Error {
  constructor({ gjs, xorg }: WebKitBinaries, cause: unknown) {
    super(
      `No browser starts here. ${cause instanceof Error ? cause.message.trim() : String(cause)}\n` +
        `It is run by ${gjs} (WEBKIT_GJS_BINARY) on ${xorg} (WEBKIT_XORG_BINARY), which see the files below /usr and /opt and ` +
        'themselves: any library or script that they load must be there.',
      { cause },
    );
    this.name = 'NoBrowserStarts';
  }
}

/** Throws `WebKitMissing` unless everything that the driver starts is installed. */
export function requireWebKit(binaries: WebKitBinaries): void {
  const needed = ['gjs', 'xorg'] as const;
  const missing = needed
    .map((name) => ({ path: binaries[name], debian: packages[name] }))
    .filter(({ path }) => !isExecutable(path))
    .map(({ path, debian }) => `${path} (package ${debian})`);
  for (const [debian, file] of Object.entries(files)) {
    if (!isInstalled(file)) missing.push(`${basename(file)} (package ${debian})`);
  }
  if (missing.length > 0) throw new WebKitMissing(missing);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether the library is in `/usr/lib` or in a directory of the architecture below it. */
function isInstalled(file: string): boolean {
  const libraries = ['', ...readdirSync('/usr/lib').map((entry) => `/${entry}`)];
  return libraries.some((directory) => existsSync(`/usr/lib${directory}/${file}`));
}
