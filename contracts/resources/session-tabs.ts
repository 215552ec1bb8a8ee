import { Type, closed, nullable, oneOf, type Static } from '../schema.ts';
import { textForms } from '../text-forms.ts';

/** A tab of a session: the one it began with, or one that a page has opened. */
export const TabId = Type.String({ pattern: textForms.tabId.pattern });
export const Tab = closed({
  id: TabId,
  url: Type.String(),
  title: Type.String(),
  /** Null where no page has opened it; its opener may be closed. */
  opener_id: nullable(TabId),
  /** Whether it is in front: operations are for that one. */
  active: Type.Boolean(),
});

/** A file that the page gave to keep. Nothing is kept of one that `failed`, or was `refused` because it is too large. */
export const Download = closed({
  name: Type.String(),
  size: Type.Integer({ description: 'Bytes so far.' }),
  mime: Type.String(),
  state: oneOf(['in_progress', 'finished', 'failed', 'refused']),
});

/** A dialog of the page, and whether it was accepted. */
export const Dialog = closed({
  type: oneOf(['alert', 'beforeunload', 'confirm', 'prompt']),
  accepted: Type.Boolean(),
  /** At most 1,000 characters. */
  message: Type.String(),
});

/** Those since an operation has listed them last; absent where there were none. */
export const happened = {
  dialogs: Type.Optional(Type.Array(Dialog)),
  downloads: Type.Optional(Type.Array(Download)),
};

export type Tab = Static<typeof Tab>;
export type Download = Static<typeof Download>;
export type Dialog = Static<typeof Dialog>;
