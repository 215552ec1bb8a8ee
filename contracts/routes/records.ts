import type { Route } from '../route.ts';
import { Type, type TSchema } from '../schema.ts';
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
  const { reads, writes } = access(tag, accountHeader);
  return [
    {
      ...writes,
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
      ...reads,
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
  const { reads, writes } = access(tag, accountHeader);
  const path = `${options.path}/{id}` as const;
  const params = { id: Type.String({ description: id }) };
  const problems = ['not-found', 'conflict'] as const;
  return [
    {
      ...reads,
      id: `${name}.get`,
      method: 'GET',
      path,
      summary: `Read one ${one}`,
      params,
      success: { status: 200, body: shown, description: `The ${one}.` },
      problems: ['not-found'],
    },
    {
      ...writes,
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
      ...writes,
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

/** Who may read and who may write what an account owns. */
export const access = <const Tag extends string, const Header extends Route['accountHeader']>(
  tag: Tag,
  accountHeader: Header,
) =>
  ({
    reads: { side: 'read', tag, scopes: ['read'], role: 'member', accountHeader, bucket: 'default:read' },
    writes: { side: 'write', tag, scopes: ['write'], role: 'admin', accountHeader, bucket: 'default:write' },
  }) as const;
