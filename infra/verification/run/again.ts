import type { Report } from './mocha.ts';

/** With more failed files than these the code is broken, not just the timing. */
const MOST_FILES = 16;

/** Files to run again alone: those that failed, unless they are many or a failure belongs to no file. */
export function filesToRunAgain(reports: readonly Report[]): readonly string[] {
  const ran = new Set(reports.flatMap(({ files }) => files.map(({ path }) => path)));
  const failed = [...new Set(reports.flatMap(({ failures }) => failures.map(({ file }) => file)))];
  return failed.length <= MOST_FILES && failed.every((file) => ran.has(file)) ? failed : [];
}

/** The report as if these files had not been part of its run. */
export function without({ name, files, failures }: Report, paths: readonly string[]): Report {
  return {
    name,
    files: files.filter(({ path }) => !paths.includes(path)),
    failures: failures.filter(({ file }) => !paths.includes(file)),
  };
}
