import type { EgressCapabilities } from '../../../contracts/operations.ts';
import type { Browser, BrowserReport } from './driver.ts';

/**
 * Passes on the reports of a browser. Each report of its egress replaces the one before, and gets the warnings of the node. Returns a
 * function that reports a warning of the node, once; nothing is reported of a browser whose egress is unknown.
 */
export function followReports(
  browser: Pick<Browser, 'egressCapabilities' | 'onReport'>,
  report: (report: BrowserReport) => void,
): (warning: string) => void {
  const own = new Set<string>();
  let egress = browser.egressCapabilities;
  const tell = (detected: EgressCapabilities): void => {
    const current = new Set([...detected.warnings, ...own]);
    const earlier = egress?.warnings.filter((warning) => current.has(warning)) ?? [];
    egress = { ...detected, warnings: [...new Set([...earlier, ...current])] };
    report({ kind: 'egress_capabilities', capabilities: egress });
  };
  browser.onReport((reported) =>
    reported.kind === 'egress_capabilities' ? tell(reported.capabilities) : report(reported),
  );
  return (warning) => {
    if (egress === null || own.has(warning)) return;
    own.add(warning);
    tell(egress);
  };
}
