import type { Route } from './route.ts';

/** What is still served and will go away. An entry stays in the registry when what it names is gone. */
export interface Deprecation {
  /** For good: uses and mails are counted by it. */
  readonly id: string;
  /** As the table has it: `GET /v1/account/usage`. */
  readonly route: string;
  /** A field at the top level of the route's request or answer. Without it, the route itself goes away. */
  readonly field?: { readonly in: 'request' | 'response'; readonly name: string };
  /** Days in UTC, `YYYY-MM-DD`; at least 90 lie between them. */
  readonly announced: string;
  readonly sunset: string;
  /** The address of a route or, for a field, the name of another one. */
  readonly replacement: string;
}

/** Everything that was ever announced to go away. */
export const deprecations: readonly Deprecation[] = [
  {
    id: 'account-usage',
    route: 'GET /v1/account/usage',
    announced: '2026-11-22',
    sunset: '2027-06-01',
    replacement: 'GET /v1/usage',
  },
  {
    id: 'account-usage-series',
    route: 'GET /v1/account/usage/series',
    announced: '2026-11-22',
    sunset: '2027-06-01',
    replacement: 'GET /v1/usage/series',
  },
];

export const addressOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`;

/** What of a route goes away. */
export const deprecationsOf = (
  route: Pick<Route, 'method' | 'path'>,
  registry: readonly Deprecation[] = deprecations,
): readonly Deprecation[] => registry.filter((each) => each.route === addressOf(route));

const startOf = (day: string): Date => new Date(`${day}T00:00:00.000Z`);

/** Where the documentation of a deprecation is. */
const documentation = '/reference';

/**
 * What answers of a route say of its deprecations: `Deprecation` is RFC 9745's date, `Sunset` RFC 8594's; of several, the earliest.
 * Undefined where nothing of it goes away.
 */
export function deprecationHeaders(
  entries: readonly Deprecation[],
): Readonly<Record<'Deprecation' | 'Sunset' | 'Link', string>> | undefined {
  const announced = entries.map((each) => each.announced).sort()[0];
  const sunset = entries.map((each) => each.sunset).sort()[0];
  if (announced === undefined || sunset === undefined) return undefined;
  const successors = entries.filter(({ field }) => field === undefined).map(({ replacement }) => replacement);
  const links = [
    `<${documentation}>; rel="deprecation"; type="text/html"`,
    ...successors.map((address) => `<${address.slice(address.indexOf(' ') + 1)}>; rel="successor-version"`),
  ];
  return {
    Deprecation: `@${startOf(announced).getTime() / 1000}`,
    Sunset: startOf(sunset).toUTCString(),
    Link: links.join(', '),
  };
}

/** A deprecation in a sentence. */
export const deprecationText = ({ route, field, sunset, replacement }: Deprecation): string => {
  const what = field === undefined ? `\`${route}\`` : `The field \`${field.name}\``;
  return `${what} is deprecated and is removed on ${sunset}. Use \`${replacement}\`.`;
};
