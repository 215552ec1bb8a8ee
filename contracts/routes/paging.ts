import { Type, closed, type TSchema } from '../schema.ts';

export const ListQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
  cursor: Type.Optional(Type.String({ maxLength: 1024 })),
};

/** A page of a list: pass `next_cursor` back for the next one; it is empty on the last page. */
export const page = (item: TSchema) =>
  closed({ data: Type.Array(item), has_more: Type.Boolean(), next_cursor: Type.String() });
