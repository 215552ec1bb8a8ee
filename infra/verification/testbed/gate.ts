/** Holds whoever passes until it is opened, and says when the first has come. */
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
