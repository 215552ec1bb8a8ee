/** Maximal number of open files of each process. Sockets and shared memory count too. */
const openFiles = 4_096;

export interface Limits {
  /** Directories of the control groups that the process enters. */
  readonly groups: readonly string[];
  /** Maximal size of one file in bytes. Writing more fails. */
  readonly fileBytes?: number;
}

const script = [
  'set -e',
  // Keeps the current limit where it is lower.
  'ulimit -n "$1" || :',
  'ulimit -f "$2"',
  // By default the kernel kills a process that writes more, without a message: the signal is ignored, so that the write fails instead.
  "trap '' XFSZ",
  'shift 2',
  'while [ "$1" != -- ]; do echo $$ > "$1/cgroup.procs"; shift; done',
  'shift',
  'exec "$@"',
].join('\n');

/** A command line prefix that runs a program within limits. Its descendants inherit them and cannot raise them. */
export const withLimits = ({ groups, fileBytes }: Limits): readonly string[] => {
  // `ulimit -f` counts blocks of 512 bytes.
  const blocks = fileBytes === undefined ? 'unlimited' : String(Math.ceil(fileBytes / 512));
  return ['/bin/sh', '-c', script, 'sh', String(openFiles), blocks, ...groups, '--'];
};
