import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { tempDir } from '../../verification/testbed/index.ts';
import { processesOf } from './processes.ts';
import { launch, run, startDriver } from './testing/browser.ts';
import { servePages } from './testing/pages.ts';

const page = `<body style="height:100vh"><p id="log">.</p><script>
  for (const type of ['touchstart', 'touchend', 'mousedown', 'click']) addEventListener(type, () => { log.textContent += ' ' + type; });
</script>`;

describe('a finger that is held', () => {
  it('is held from when the page sees it, even if the X server is late', async () => {
    const site = await servePages({ '/': page });
    const runtimeDir = tempDir('webkit');
    const driver = await startDriver({ runtimeDir });
    const browser = await launch(driver);
    await run(browser, 'navigate', { url: site.url });
    const display = processesOf(runtimeDir).filter((pid) =>
      readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('Xorg'),
    );
    expect(display).to.have.length.above(0);
    const signal = (name: 'SIGSTOP' | 'SIGCONT') => display.forEach((pid) => process.kill(pid, name));
    signal('SIGSTOP');
    const held = run(browser, 'interact', {
      action: { kind: 'long_press', x: 100, y: 300, duration_ms: 600 },
    });
    // GTK recognises a long press after half a second. Without the wait for the page, only 200 ms would remain.
    await delay(400);
    signal('SIGCONT');
    await held;
    const { data } = await run(browser, 'extract', { schema: { type: 'string', 'x-selector': '#log' } });
    expect(data).to.equal('. touchstart touchend');
    await browser.close();
    await driver.close();
    await site.close();
  });
});
