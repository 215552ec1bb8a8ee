import { accessSync, constants, existsSync, readdirSync } from 'node:fs';

/** Where this node's browser comes from; an own WebKit build drops in here. */
export interface WebKitBinaries {
  readonly webDriver: string;
  readonly gjs: string;
  readonly xvfb: string;
  /** Comes with WebKit, whose sandbox needs it too. */
  readonly bubblewrap: string;
}

export const debianBinaries: WebKitBinaries = {
  webDriver: '/usr/bin/WebKitWebDriver',
  gjs: '/usr/bin/gjs',
  xvfb: '/usr/bin/Xvfb',
  bubblewrap: '/usr/bin/bwrap',
};

const packages = { webDriver: 'webkit2gtk-driver', gjs: 'gjs', xvfb: 'xvfb' } as const;
const typelibs = 'gir1.2-webkit2-4.1';

/** The browser cannot run here. The message says what is missing, how to get it and what to do without. */
export class WebKitMissing extends Error {
  constructor(missing: readonly string[]) {
    super(
      `The webkit driver needs ${missing.join(', ')}. Install it with\n` +
        `  apt-get install --no-install-recommends ${[...Object.values(packages), typelibs].join(' ')}\n` +
        'or ask for browsers that are only simulated with DRIVER=simulated.',
    );
    this.name = 'WebKitMissing';
  }
}

/** Throws `WebKitMissing` unless everything the driver starts is there. */
export function requireWebKit(binaries: WebKitBinaries): void {
  const needed = ['webDriver', 'gjs', 'xvfb'] as const;
  const missing = needed
    .map((name) => ({ path: binaries[name], debian: packages[name] }))
    .filter(({ path }) => !isExecutable(path))
    .map(({ path, debian }) => `${path} (package ${debian})`);
  if (!hasTypelib()) missing.push(`WebKit2-4.1.typelib (package ${typelibs})`);
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

/** In `/usr/lib/girepository-1.0` or under one directory per architecture. */
function hasTypelib(): boolean {
  const libraries = ['', ...readdirSync('/usr/lib').map((entry) => `/${entry}`)];
  return libraries.some((directory) =>
    existsSync(`/usr/lib${directory}/girepository-1.0/WebKit2-4.1.typelib`),
  );
}
