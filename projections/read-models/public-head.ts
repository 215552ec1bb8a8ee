import { publicTreeEvents } from '../../contracts/events/public-tree.ts';
import { readModel } from '../engine/read-model.ts';
import { column } from '../engine/table.ts';

/** The last public checkpoint: one row. */
export const publicHeads = readModel('public_heads', {
  of: publicTreeEvents,
  id: () => 'last',
  columns: {
    id: column.text,
    size: column.integer,
    root: column.text,
    /** Signed. */
    note: column.text,
    signed_at: column.time,
  },
  concernsOthers: true,
  handlers: 1,
  creates: {
    PublicHeadSigned: ({ data: { size, root, note, at } }) => ({
      ...{ id: 'last', size, root, note, signed_at: at },
    }),
  },
});
