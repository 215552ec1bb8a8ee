/** What the person at the terminal is told while the stack runs. */
export interface Report {
  /** Shows the work's title while it runs and how long it took. */
  step<T>(title: string, work: () => Promise<T>): Promise<T>;
  say(text: string): void;
  warn(text: string): void;
}

export function terminalReport(out: NodeJS.WritableStream): Report {
  const line = (text: string) => out.write(`${text}\n`);
  return {
    async step(title, work) {
      const startedAt = performance.now();
      const result = await work();
      line(`  ✓ ${title.padEnd(36)} ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
      return result;
    },
    say: line,
    warn: (text) => line(`  ! ${text}`),
  };
}
