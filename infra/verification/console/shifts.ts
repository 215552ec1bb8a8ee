import type { Page } from 'playwright-core';

/** Notes the browser's layout shifts since the page was opened, with what moved. */
const note = `
  globalThis.shifts = [];
  const nameOf = ({ node }) => (node?.nodeType === 1 ? node.outerHTML.slice(0, 80) : node?.textContent?.slice(0, 40));
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput) shifts.push({ value, moved: sources.map(nameOf) });
  }).observe({ type: 'layout-shift', buffered: true });
`;

/** Must be called before the page is opened. */
export const measureShifts = (page: Page): Promise<unknown> => page.addInitScript(note);

/** The cumulative layout shift, and what has moved. Waits for the frame that shows the last change. */
export async function shiftsOn(page: Page): Promise<{ readonly sum: number; readonly all: string }> {
  const shown =
    'new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(() => shown(shifts))))';
  const shifts = await page.evaluate<{ value: number; moved: string[] }[]>(shown);
  return { sum: shifts.reduce((sum, { value }) => sum + value, 0), all: JSON.stringify(shifts) };
}
