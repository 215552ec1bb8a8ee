import type { Route } from './route.ts';

/** Routes and fields that will be removed. Entries stay in the registry after the removal. */
export interface Deprecation {
  /** Never changes: uses and mails refer to it. */
  readonly id: string;
  /** As in the table of routes: `GET /v1/account/usage`. */
  readonly route: string;
  /** A top-level field of the route's request or answer. Undefined: the route itself is deprecated. */
  readonly field?: { readonly in: 'request' | 'response'; readonly name: string };
  /** UTC dates, `YYYY-MM-DD`, at least 90 days apart. */
  readonly announced: string;
  readonly sunset: string;
  /** The replacing route or field. */
  readonly replacement: string;
}

/** All deprecations, past ones included. */
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

/** The deprecations of a route. */
export const deprecationsOf = (
  route: Pick<Route, 'method' | 'path'>,
  registry: readonly Deprecation[] = deprecations,
): readonly Deprecation[] => registry.filter((each) => each.route === addressOf(route));

const startOf = (day: string): Date => new Date(`${day}T00:00:00.000Z`);

/** Path of the documentation of deprecations. */
const documentation = '/reference';

/**
 * Response headers for a route's deprecations: `Deprecation` (RFC 9745) and `Sunset` (RFC 8594); of several, the earliest.
 * Undefined if the route has none.
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

/** A sentence about a deprecation. */
export const deprecationText = ({ route, field, sunset, replacement }: Deprecation): string => {
  const what = field === undefined ? `\`${route}\`` : `The field \`${field.name}\``;
  return `${what} is deprecated and will be removed on ${sunset}. Use \`${replacement}\`.`;
};
