import type { Scope } from '../events/api-key.ts';
import type { Bucket } from '../rate-buckets.ts';
import type { Route } from '../route.ts';
import { AsOfQuery, HistoryPage, HistoryQuery } from '../resources/history.ts';
import { Type, page, type TSchema } from '../schema.ts';
import type { Tag } from '../tags.ts';

/** Scopes of reads of sessions and agent sessions. */
export const sessionReadScopes = ['read', 'read:sessions', 'account_owner'] as const;

/** Columns shared by the routes of an area. */
interface Area {
  readonly tag: Tag;
  readonly reads: readonly Scope[];
  readonly writes: readonly Scope[];
  readonly accountHeader?: Route['accountHeader'];
  /** Minimum role of the area's reads; default `member`. */
  readonly readRole?: Route['role'];
}

type Path = `/${string}`;
type Address = `${Route['method']} ${Path}`;
/** Columns that each row states; it may also override its area's defaults. */
type Stated = Partial<Route> & Pick<Route, 'summary' | 'success' | 'problems'>;

const usualBuckets: Readonly<Record<'read' | 'write', Bucket>> = {
  read: 'default:read',
  write: 'default:write',
};

/** Rows of one area: an address (`POST /v1/sessions`), an id, and the columns that differ from the defaults. */
export const area = ({ tag, reads, writes, accountHeader = 'honored', readRole = 'member' }: Area) => {
  const read = <const Id extends string, const C extends Stated>(address: Address, id: Id, columns: C) => {
    const usual = {
      ...{ ...locationOf(address), id, side: 'read' as const, tag, accountHeader },
      ...{ scopes: reads, role: readRole, bucket: usualBuckets.read },
    };
    return overridden(usual, columns);
  };
  const write = <const Id extends string, const C extends Stated>(address: Address, id: Id, columns: C) => {
    const usual = {
      ...{ ...locationOf(address), id, side: 'write' as const, tag, accountHeader },
      ...{ scopes: writes, role: 'admin' as const, bucket: usualBuckets.write },
      bodyRequired: columns.body !== undefined,
    };
    return overridden(usual, columns);
  };
  /** `of`: the noun in the default texts, or other texts. */
  const list = <const Id extends string>(path: Path, id: Id, item: TSchema, of: string | ListTexts) => {
    const { summary, answer } = typeof of === 'string' ? usualTexts(of) : of;
    const success = ok(page(item), answer);
    return read(`GET ${path}`, id, { summary, query: ListQuery, success, problems: ['bad-request'] });
  };
  /**
   * The two routes of one resource: its state, with `as_of` at a past moment, and its history. `one`: the noun in the texts;
   * `stated`: columns of both.
   */
  const detail = <const Name extends string, const S extends Partial<Route>>(
    path: Path,
    name: Name,
    item: TSchema,
    one: string,
    stated: S,
  ) =>
    [
      read(`GET ${path}`, `${name}.get`, {
        ...stated,
        summary: `Read one ${one}, now or in the past`,
        query: AsOfQuery,
        success: ok(item, `The ${one}.`),
        problems: ['not-found'],
      }),
      read(`GET ${path}/history`, `${name}.past`, {
        ...stated,
        summary: `List the changes of the ${one}, newest first`,
        query: { ...ListQuery, ...HistoryQuery },
        success: historyAnswer,
        problems: ['not-found', 'bad-request'],
      }),
    ] as const;
  return { read, write, list, detail };
};

const usualTexts = (of: string): ListTexts => ({
  summary: `List ${of}, newest first`,
  answer: `A page of ${of}.`,
});

/** Without this type, TypeScript infers both values for an overridden column. */
const overridden = <Usual extends object, C extends object>(usual: Usual, columns: C) =>
  ({ ...usual, ...columns }) as Omit<Usual, keyof C> & C;

interface ListTexts {
  readonly summary: string;
  readonly answer: string;
}

function locationOf(address: Address): Pick<Route, 'method' | 'path'> {
  const [method, path] = address.split(' ') as [Route['method'], string];
  return { method, path };
}

const success = (status: number) => (body: TSchema, description: string) => ({ status, body, description });
export const ok = success(200);
export const created = success(201);
export const accepted = success(202);
export const noContent = (description: string) => ({ status: 204, body: null, description });

/** Shared by all histories, so that documents name it. */
export const historyAnswer = ok(HistoryPage, 'A page of changes, or all changes between two moments as one.');

/** The path parameter `id`; the description shows its format. */
export const idParam = (description: string) => ({ id: Type.String({ description }) });

export const ListQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
  cursor: Type.Optional(Type.String({ maxLength: 1024 })),
};
