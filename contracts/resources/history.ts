import { Type, Timestamp, closed, nullable, oneOf, page, type Static } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { textForms } from '../text-forms.ts';

/** A moment in the past, as a query parameter. */
const Moment = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: textForms.moment.pattern,
      description: `${description} A time (ISO 8601), which includes all that was committed by its full minute, or the value of an \`X-Service-Position\`.`,
    }),
  );

export const AsOfQuery = { as_of: Moment('Shows the resource as it was then.') };
export const HistoryQuery = {
  from: Moment('With `to`: the changes between both, as one entry.'),
  to: Moment('With `from`.'),
};

/** A changed field. A value that is not an object changes as a whole. */
export const Change = closed({
  path: Type.String({ description: 'A JSON Pointer into the resource.' }),
  before: Type.Optional(Type.Unknown({ description: 'Absent where the field is new.' })),
  after: Type.Optional(Type.Unknown({ description: 'Absent where the field is gone.' })),
});
export type Change = Static<typeof Change>;

export const HistoryEntry = closed({
  position: Type.String({ description: '`<commit>/<prepare>`' }),
  at: Timestamp,
  action: Type.String({ description: "The action as in the audit log; else the event's type." }),
  actor: closed({
    kind: oneOf(['user', 'api_key', 'system', 'staff']),
    account_id: nullable(idSchema('account')),
  }),
  request_id: nullable(Type.String()),
  /** Absent where the account's audit log has no such entry. */
  audit_entry_id: Type.Optional(idSchema('auditEntry')),
  changes: Type.Array(Change),
});
export type HistoryEntry = Static<typeof HistoryEntry>;
export const HistoryPage = page(HistoryEntry);
