const keyOf = (path: string) => `console.token ${path}`;

/**
 * Returns the token in the address of this page. Removes it from the address bar and the history at once, so that no copied
 * link or bookmark contains it; this tab keeps it until it is used, also after a reload.
 */
export function takeToken(): string {
  const { pathname, search, hash } = location;
  const parameters = new URLSearchParams(search);
  const token = parameters.get('token');
  if (token !== null) {
    sessionStorage.setItem(keyOf(pathname), token);
    parameters.delete('token');
    const rest = parameters.toString();
    history.replaceState(history.state, '', `${pathname}${rest === '' ? '' : `?${rest}`}${hash}`);
  }
  return sessionStorage.getItem(keyOf(pathname)) ?? '';
}

/** Must be called once the token of the page at this path was used. */
export const dropToken = (pathname: string): void => sessionStorage.removeItem(keyOf(pathname));
