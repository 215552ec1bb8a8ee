const { readFileSync, writeFileSync } = require('node:fs');
const { performance } = require('node:perf_hooks');
const { format } = require('node:util');
const { Runner, reporters } = require('mocha');

const { Base } = reporters;
const events = Runner.constants;
/** Linux counts by these, whatever its timer. */
const TICKS_PER_SECOND = 100;

/**
 * One line for each file when it has ended, with what failed, so that several processes can share a terminal; what
 * each file took and what failed go to a file as well, for whoever started the run to say last.
 */
module.exports = class FileReporter extends Base {
  constructor(runner, options) {
    super(runner, options);
    this.files = [];
    this.failed = [];
    runner.on(events.EVENT_SUITE_BEGIN, (suite) => this.begin(suite));
    runner.on(events.EVENT_TEST_PASS, () => this.count('passed'));
    runner.on(events.EVENT_TEST_FAIL, (test) => {
      this.count('failed');
      this.failed.push({ file: this.files.at(-1)?.path ?? '', text: asText(test) });
    });
    runner.once(events.EVENT_RUN_END, () => {
      this.end();
      const report = { files: this.files, failures: this.failed };
      writeFileSync(options.reporterOptions.report, JSON.stringify(report));
    });
  }

  /** Of the suites, those of the files (`file-suites.cjs`) are directly below the root. */
  begin({ title: path, parent }) {
    if (!parent?.root) return;
    this.end();
    this.files.push({
      path,
      passed: 0,
      failed: 0,
      began: performance.now(),
      ms: 0,
      cpuBegan: cpuSeconds(),
      cpu: 0,
    });
  }

  count(kind) {
    const file = this.files.at(-1);
    if (file) file[kind] += 1;
  }

  end() {
    const file = this.files.at(-1);
    if (!file) return;
    file.ms = performance.now() - file.began;
    file.cpu = cpuSeconds() - file.cpuBegan;
    const { path, passed, failed, ms, cpu } = file;
    const counts = failed > 0 ? `${passed} passed, ${failed} failed` : `${passed} passed`;
    Base.consoleLog(
      `${failed > 0 ? '✗' : '✓'} ${path} (${counts}, ${(ms / 1000).toFixed(1)} s, CPU ${cpu.toFixed(1)} s)`,
    );
    for (const failure of this.failed) if (failure.file === path) Base.consoleLog(`${failure.text}\n`);
  }
};

/** Of this process and of those that it started and that have ended. */
function cpuSeconds() {
  const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ');
  const ticks = fields.split(' ').slice(11, 15).map(Number);
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
}

/** As Mocha itself shows a failure, with what differs. */
function asText(test) {
  const lines = [];
  const print = Base.consoleLog;
  Base.consoleLog = (...parts) => lines.push(format(...parts));
  try {
    Base.list([test]);
  } finally {
    Base.consoleLog = print;
  }
  return lines.join('\n').trim().replace(/^1\) /, '');
}
