import type { Route } from '../route.ts';
import type { TSchema } from '../schema.ts';
import { area, created, idParam, noContent, ok } from './rows.ts';
import type { Tag } from '../tags.ts';

interface RecordRouteOptions<Name extends string, Create, Update> {
  /** First part of the route ids: `proxies`. */
  readonly name: Name;
  readonly path: `/${string}`;
  readonly tag: Tag;
  /** Singular and plural in texts: `saved proxy`, `saved proxies`. */
  readonly one: string;
  readonly many: string;
  /** Format of an id. */
  readonly id: string;
  readonly accountHeader: Route['accountHeader'];
  readonly create: Create;
  readonly update: Update;
  readonly shown: TSchema;
}

/** The five routes of a record: create, list, get, update, delete. */
export const recordRoutes = <const Name extends string, Create extends TSchema, Update extends TSchema>(
  options: RecordRouteOptions<Name, Create, Update>,
) => {
  const { name, path, tag, one, many, id, accountHeader, shown } = options;
  const { write, list, detail } = area({ tag, reads: ['read'], writes: ['write'], accountHeader });
  const params = idParam(id);
  return [
    write(`POST ${path}`, `${name}.create`, {
      summary: `Create a ${one}`,
      body: options.create,
      success: created(shown, `The ${one}.`),
      problems: ['conflict', 'tier-limit'],
    }),
    list(path, `${name}.list`, shown, many),
    ...detail(`${path}/{id}`, name, shown, one, { params }),
    write(`PATCH ${path}/{id}`, `${name}.update`, {
      summary: `Change a ${one}`,
      params,
      body: options.update,
      success: ok(shown, `The ${one} as it is now.`),
      problems: ['not-found', 'conflict'],
    }),
    write(`DELETE ${path}/{id}`, `${name}.delete`, {
      summary: `Delete a ${one}`,
      params,
      success: noContent(`The ${one} is deleted.`),
      problems: ['not-found', 'conflict'],
    }),
  ] as const;
};
