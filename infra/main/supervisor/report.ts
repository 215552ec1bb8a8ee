export type Report = ReturnType<typeof terminalReport>;

/** Output for the terminal while the stack runs. */
export function terminalReport(out: NodeJS.WritableStream) {
  const line = (text: string): void => void out.write(`${text}\n`);
  return {
    /** Prints the title when the work is done, with its duration. */
    async step<T>(title: string, work: () => Promise<T>): Promise<T> {
      const startedAt = performance.now();
      const result = await work();
      line(`  ✓ ${title.padEnd(36)} ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
      return result;
    },
    say: line,
    warn: (text: string): void => line(`  ! ${text}`),
  };
}
