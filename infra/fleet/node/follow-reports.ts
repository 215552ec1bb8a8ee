import type { EgressCapabilities } from '../../../contracts/operations.ts';
import type { Browser, BrowserReport } from './driver.ts';

/**
 * Passes on the reports of a browser. Each report of its egress replaces the one before, so it gets all warnings of those. Returns a function
 * that reports a further warning, once; nothing is reported of a browser whose egress is unknown.
 */
export function followReports(
  browser: Pick<Browser, 'egressCapabilities' | 'onReport'>,
  report: (report: BrowserReport) => void,
): (warning: string) => void {
  let egress = browser.egressCapabilities;
  const tell = (detected: EgressCapabilities): void => {
    const warnings = [...new Set([...(egress?.warnings ?? []), ...detected.warnings])];
    egress = { ...detected, warnings };
    report({ kind: 'egress_capabilities', capabilities: egress });
  };
  browser.onReport((reported) =>
    reported.kind === 'egress_capabilities' ? tell(reported.capabilities) : report(reported),
  );
  return (warning) => {
    if (egress !== null && !egress.warnings.includes(warning)) tell({ ...egress, warnings: [warning] });
  };
}
