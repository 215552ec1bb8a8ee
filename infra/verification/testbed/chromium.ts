import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const path =
  ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((each) => existsSync(each)) ?? 'chromium';

/** Debian's Chromium, with switches to run as root and offline; `more` are further switches. */
export const openChromium = (...more: readonly string[]): Promise<Browser> =>
  chromium.launch({
    executablePath: path,
    args: ['--no-sandbox', '--disable-background-networking', '--disable-quic', '--disable-gpu', ...more],
  });
