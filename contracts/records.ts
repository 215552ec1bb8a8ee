import type { Category } from './events/catalogue.ts';
import { accountProxiesEvents, proxyEvents } from './events/proxy.ts';
import { accountRecipesEvents, openedRecipe, recipeEvents } from './events/recipe.ts';
import { toId, type IdKind } from './ids.ts';
import type { OpenField, Stored } from './record.ts';
import { presentProxy, proxiesPerAccount } from './resources/proxy.ts';
import { recipesPerAccount } from './resources/recipe.ts';
import type { Route } from './route.ts';
import { proxyRoutes } from './routes/proxies.ts';
import { recipeRoutes } from './routes/recipes.ts';

/**
 * The contract of a noun of records. Its categories, routes, limit, lists and table are generated from it; its rules are in
 * `domain/catalogue.ts` under the same name.
 */
export interface RecordContract {
  /** Name of its table and quota, and first part of its route ids. */
  readonly name: string;
  readonly kind: IdKind;
  readonly events: Category;
  readonly quota: Category;
  /** Maximum records per account. */
  readonly limit: number;
  readonly routes: readonly Route[];
  /** The body of its detail route. */
  present(record: Stored<unknown>, open: OpenField): unknown;
  /** A valid body for each of its routes with one; `uuid` makes it unique. */
  readonly examples: Readonly<Record<string, (uuid: string) => object>>;
}

export const proxies = {
  name: 'proxies',
  kind: 'proxy',
  events: proxyEvents,
  quota: accountProxiesEvents,
  limit: proxiesPerAccount,
  routes: proxyRoutes,
  present: presentProxy,
  examples: {
    'proxies.create': (uuid) => ({
      label: `exit ${uuid}`,
      scheme: 'http',
      host: 'proxy.example',
      port: 8080,
    }),
    'proxies.update': () => ({ port: 3128 }),
  },
} as const satisfies RecordContract;

export const recipes = {
  name: 'recipes',
  kind: 'recipe',
  events: recipeEvents,
  quota: accountRecipesEvents,
  limit: recipesPerAccount,
  routes: recipeRoutes,
  present: openedRecipe,
  examples: { 'recipes.create': (uuid) => ({ agent_session_id: toId('agentSession', uuid) }) },
} as const satisfies RecordContract;

/** Every noun of records. */
export const recordContracts = [proxies, recipes] as const;
export type RecordName = (typeof recordContracts)[number]['name'];
