/** A function whose answer to a text never changes, asked once for each of the texts that were asked about last. */
export function remembered<Answer>(ask: (text: string) => Answer, entries = 2000): (text: string) => Answer {
  const known = new Map<string, { readonly answer: Answer }>();
  return (text) => {
    const found = known.get(text) ?? { answer: ask(text) };
    if (known.size >= entries) known.clear();
    known.set(text, found);
    return found.answer;
  };
}
