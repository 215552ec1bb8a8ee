import type { TObject, TOptional, TProperties, TString } from 'typebox';
import { category, type AuditedAction } from './events/catalogue.ts';
import { idSchema, type AccountId, type IdKind } from './ids.ts';
import { Type, Timestamp, closed, nullable, type Static } from './schema.ts';

/**
 * A record: a resource that an account creates, lists, reads, changes and deletes, limited in number and with names unique per
 * account. These are the parts shared by all such nouns; `docs/adding-a-resource.md` is a tutorial.
 */
export interface Stored<Fields> {
  readonly id: string;
  readonly accountId: AccountId;
  readonly fields: Fields;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Opens a sealed field of a record; throws `not-found` once it is erased. */
export type OpenField = (field: string, sealed: string) => Promise<string>;

export type FieldsOf<F extends TProperties> = Static<TObject<F>>;

const accountId = idSchema('account');

type Optional<F extends TProperties> = { [K in keyof F]: TOptional<F[K]> };
type Envelope = { id: TString; accountId: typeof accountId; at: typeof Timestamp };
type RecordTypes<Stem extends string, F extends TProperties> = Record<
  `${Stem}Created`,
  TObject<Envelope & { fields: TObject<F> }>
> &
  Record<`${Stem}Changed`, TObject<Envelope & { changes: TObject<Optional<F>> }>> &
  Record<`${Stem}Deleted` | `${Stem}Withdrawn`, TObject<Envelope>>;

/**
 * The event types of a record's stream: `<Stem>Created`, `<Stem>Changed` (with the changes), `<Stem>Deleted`, and
 * `<Stem>Withdrawn` for one that was reserved and not created in time.
 */
export const recordTypes = <Stem extends string, F extends TProperties>(
  stem: Stem,
  kind: IdKind,
  fields: F,
): RecordTypes<Stem, F> => {
  const of = { id: idSchema(kind), accountId, at: Timestamp };
  const types: Record<string, TObject> = {
    [`${stem}Created`]: closed({ ...of, fields: closed(fields) }),
    [`${stem}Changed`]: closed({ ...of, changes: Type.Partial(closed(fields)) }),
    [`${stem}Deleted`]: closed(of),
    [`${stem}Withdrawn`]: closed(of),
  };
  return types as RecordTypes<Stem, F>;
};

type Audited<Fields> = Record<
  string,
  (data: {
    readonly id: string;
    readonly fields?: Fields;
    readonly changes?: Partial<Fields>;
  }) => AuditedAction
>;

/** The data of another event on a record's stream, with fields of its own. */
export const recordEvent = <F extends TProperties>(kind: IdKind, fields: F) =>
  closed({ id: idSchema(kind), accountId, ...fields, at: Timestamp });

/** The audit entries of those types, with the fields allowed in an entry. */
export const recordAudit = <Fields>(
  resource: string,
  stem: string,
  shown: readonly (keyof Fields & string)[],
): Audited<Fields> => {
  const entry =
    (verb: string): Audited<Fields>[string] =>
    ({ id, fields, changes }) => ({
      action: `${resource}.${verb}`,
      target: { type: resource, id },
      payload: picked(shown, fields ?? changes ?? {}),
    });
  return {
    [`${stem}Created`]: entry('created'),
    [`${stem}Changed`]: entry('updated'),
    [`${stem}Deleted`]: entry('deleted'),
  };
};

/** The declared fields of a body; drops others at its top level. */
export const declaredIn = <F extends TProperties>(
  { properties }: TObject<F>,
  body: object,
): Partial<Static<TObject<F>>> => picked(Object.keys(properties), body) as Partial<Static<TObject<F>>>;

const picked = (names: readonly string[], from: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(from).filter(([name, value]) => names.includes(name) && value !== undefined),
  );

/**
 * `<category>-<account uuid>`: reservations of the account's quota and of names. A reservation precedes its record and is
 * released after it.
 */
export const quotaEvents = <Name extends string, Stem extends string>(
  name: Name,
  stem: Stem,
  kind: IdKind,
) => {
  /**
   * A null `name` in a reservation: the noun has no unique names. In a release: the record's share and all of its
   * names.
   */
  const share = closed({ accountId, id: idSchema(kind), at: Timestamp, name: nullable(Type.String()) });
  const each = <Value>(value: Value) =>
    ({ [`${stem}Reserved`]: value, [`${stem}Released`]: value }) as Record<
      `${Stem}Reserved` | `${Stem}Released`,
      Value
    >;
  return category(name, each(share), { personal: each({ name: null }) });
};
