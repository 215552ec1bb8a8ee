const keyOf = (path: string) => `console.token ${path}`;

/**
 * The token that the address of this page came with. It is taken out of the address bar and the history at once, so that it is in no
 * copied link and no bookmark; this tab keeps it until it is used, also over a reload.
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

/** To be called once the token of this page was used. */
export const dropToken = (): void => sessionStorage.removeItem(keyOf(location.pathname));
