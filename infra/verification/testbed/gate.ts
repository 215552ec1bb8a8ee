/** Blocks all callers until it is opened, and resolves a promise when the first has arrived. */
export function gate() {
  let arrive = (): void => undefined;
  let open = (): void => undefined;
  const reached = new Promise<void>((resolve) => (arrive = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  const pass = (): Promise<void> => {
    arrive();
    return opened;
  };
  return { pass, reached, open };
}

export type Gate = ReturnType<typeof gate>;
