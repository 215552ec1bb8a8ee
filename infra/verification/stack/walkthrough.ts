/** The blocks of a Markdown page that are fenced as `bash`, as one script. */
export function scriptIn(page: string): string {
  return [...page.matchAll(/^```bash\n([\s\S]+?)^```$/gm)].map(([, block]) => block).join('\n');
}

/**
 * The lines that the page says its script prints (`# => text`), in their order; `…` stands for anything within a line.
 */
export function answersIn(page: string): readonly string[] {
  return [...scriptIn(page).matchAll(/^# => (.+)$/gm)].map(([, answer = '']) => answer);
}

/** The first expected line that is missing in the output after the previous one; undefined if none is missing. */
export function firstMissing(answers: readonly string[], output: string): string | undefined {
  const lines = output.split('\n');
  let next = 0;
  return answers.find((answer) => {
    const pattern = new RegExp(`^${answer.split('…').map(escaped).join('.*')}$`);
    const found = lines.findIndex((line, index) => index >= next && pattern.test(line));
    next = found + 1;
    return found === -1;
  });
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
