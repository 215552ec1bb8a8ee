import { chromium, type Browser } from 'playwright-core';

/** The program itself: the one in the path is a shell that waits for it, and would not pass signals on. */
const path = '/usr/lib/chromium/chromium-headless-shell';

/** Debian's Chromium, with switches to run as root and offline; `more` are further switches. */
export const openChromium = (...more: readonly string[]): Promise<Browser> =>
  chromium.launch({
    executablePath: path,
    args: ['--no-sandbox', '--disable-background-networking', '--disable-quic', '--disable-gpu', ...more],
  });
