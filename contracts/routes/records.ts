import type { Route } from '../route.ts';
import { Type, type TSchema } from '../schema.ts';
import { readsOf, writesOf } from './defaults.ts';
import { ListQuery, page } from './paging.ts';

interface RecordRouteOptions<Name extends string, Path extends string, Create, Update, Shown> {
  /** First part of the route ids: `proxies`. */
  readonly name: Name;
  readonly path: Path;
  readonly tag: string;
  /** What the texts call one and several of them: `saved proxy`, `saved proxies`. */
  readonly one: string;
  readonly many: string;
  /** The form of an id. */
  readonly id: string;
  readonly accountHeader: Route['accountHeader'];
  readonly create: Create;
  readonly update: Update;
  readonly shown: Shown;
}

/** The five routes of a record: create, list, get, update, delete. */
export const recordRoutes = <
  const Name extends string,
  const Path extends string,
  Create extends TSchema,
  Update extends TSchema,
  Shown extends TSchema,
>(
  options: RecordRouteOptions<Name, Path, Create, Update, Shown>,
) => [...collectionRoutes(options), ...itemRoutes(options)] as const;

const collectionRoutes = <
  const Name extends string,
  const Path extends string,
  Create extends TSchema,
  Shown extends TSchema,
>({
  name,
  path,
  tag,
  one,
  many,
  accountHeader,
  create,
  shown,
}: RecordRouteOptions<Name, Path, Create, unknown, Shown>) => {
  return [
    {
      ...writesOf(tag, ['write']),
      accountHeader,
      id: `${name}.create`,
      method: 'POST',
      path,
      summary: `Create a ${one}`,
      body: create,
      bodyRequired: true,
      success: { status: 201, body: shown, description: `The ${one}.` },
      problems: ['conflict', 'tier-limit'],
    },
    {
      ...readsOf(tag, ['read']),
      accountHeader,
      id: `${name}.list`,
      method: 'GET',
      path,
      summary: `List ${many}, newest first`,
      query: ListQuery,
      success: { status: 200, body: page(shown), description: `A page of ${many}.` },
      problems: ['bad-request'],
    },
  ] as const satisfies readonly Route[];
};

const itemRoutes = <
  const Name extends string,
  const Path extends string,
  Update extends TSchema,
  Shown extends TSchema,
>(
  options: RecordRouteOptions<Name, Path, unknown, Update, Shown>,
) => {
  const { name, tag, one, id, accountHeader, update, shown } = options;
  const path = `${options.path}/{id}` as const;
  const params = { id: Type.String({ description: id }) };
  const problems = ['not-found', 'conflict'] as const;
  return [
    {
      ...readsOf(tag, ['read']),
      accountHeader,
      id: `${name}.get`,
      method: 'GET',
      path,
      summary: `Read one ${one}`,
      params,
      success: { status: 200, body: shown, description: `The ${one}.` },
      problems: ['not-found'],
    },
    {
      ...writesOf(tag, ['write']),
      accountHeader,
      id: `${name}.update`,
      method: 'PATCH',
      path,
      summary: `Change a ${one}`,
      params,
      body: update,
      bodyRequired: true,
      success: { status: 200, body: shown, description: `The ${one} as it is now.` },
      problems,
    },
    {
      ...writesOf(tag, ['write']),
      accountHeader,
      id: `${name}.delete`,
      method: 'DELETE',
      path,
      summary: `Delete a ${one}`,
      params,
      success: { status: 204, body: null, description: `The ${one} is gone.` },
      problems,
    },
  ] as const satisfies readonly Route[];
};
