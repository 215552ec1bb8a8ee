const { writeFileSync } = require('node:fs');
const { Runner, reporters } = require('mocha');

/** Mocha's readable report, and the counts in a file, so that whoever started the run can say them last. */
module.exports = class CountingReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const path = options.reporterOptions?.report;
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      if (path)
        writeFileSync(path, JSON.stringify({ passed: this.stats.passes, failed: this.stats.failures }));
    });
  }
};
