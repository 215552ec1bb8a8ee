/** Open files that each process may have: each socket, and each piece of memory that processes share, is one. */
const openFiles = 4_096;

export interface Limits {
  /** Control groups that it enters, by their directories. */
  readonly groups: readonly string[];
  /** Bytes that one file may have: to write more fails. */
  readonly fileBytes?: number;
}

const script = [
  'set -e',
  // Where less is allowed, less it is.
  'ulimit -n "$1" || :',
  'ulimit -f "$2"',
  // The kernel would end whoever writes more, and nobody would know why.
  "trap '' XFSZ",
  'shift 2',
  'while [ "$1" != -- ]; do echo $$ > "$1/cgroup.procs"; shift; done',
  'shift',
  'exec "$@"',
].join('\n');

/** The command line before a program that runs it within limits, which whatever it starts inherits and cannot raise. */
export const withLimits = ({ groups, fileBytes }: Limits): readonly string[] => {
  // In the unit of `ulimit`.
  const blocks = fileBytes === undefined ? 'unlimited' : String(Math.ceil(fileBytes / 512));
  return ['/bin/sh', '-c', script, 'sh', String(openFiles), blocks, ...groups, '--'];
};
