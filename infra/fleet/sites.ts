/** Whether an address is of a site of `only_on`. */
export function isOf(
  { protocol, hostname }: { readonly protocol: string; readonly hostname: string },
  site: string,
): boolean {
  const name = site.replace(/^https:\/\//, '');
  if (name !== site && protocol !== 'https:') return false;
  return name.startsWith('=') ? hostname === name.slice(1) : `.${hostname}`.endsWith(`.${name}`);
}

/** The `only_on` of a login with this `site`; undefined if it is not restricted. */
export function sitesOf(site: string | undefined): readonly string[] | undefined {
  if (site === undefined) return undefined;
  const host = site.replace(/^https?:\/\//, '').toLowerCase();
  return [site.startsWith('http://') ? host : `https://${host}`];
}
