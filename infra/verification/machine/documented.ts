import { blocksOf } from '../stack/restoring.ts';

const sections = ['One machine with systemd', 'First account', 'TLS', 'Backups and alerts'] as const;

/** The commands of deployment.md, by the headings of its sections. */
export const documented = Object.fromEntries(
  sections.map((heading) => [heading, blocksOf(heading)]),
) as Readonly<Record<(typeof sections)[number], readonly string[]>>;

/** Packages that these commands install: a machine without a network has them from its beginning. */
export const packagesOf = (commands: readonly string[]): readonly string[] =>
  [...commands.join('\n').matchAll(/apt-get install --no-install-recommends ((?:[^\\\n]|\\\n)+)/g)].flatMap(
    ([, names = '']) => names.replaceAll('\\\n', ' ').trim().split(/\s+/),
  );

/** Where the checkout is: the commands are given there. */
export const checkout = '/srv/machine/checkout';

/** The commands that set the units up, except for `npm ci`: npm's packages are in the checkout. */
export function setUp(): string {
  const [written = ''] = documented['One machine with systemd'];
  const without = written.replace('npm ci && ', '');
  if (without === written) throw new Error('The commands have no `npm ci` that could be left out.');
  return without;
}
