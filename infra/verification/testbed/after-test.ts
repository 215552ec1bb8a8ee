const opened: (() => unknown)[] = [];

/**
 * Has this called once when the running test has ended, however it ends. A hook of a module would only be one of the first file that
 * imports the module.
 */
export const afterTest = (close: () => unknown): void => void opened.push(close);

export async function closeOpened(): Promise<void> {
  await Promise.all(opened.splice(0).map((close) => close()));
}
