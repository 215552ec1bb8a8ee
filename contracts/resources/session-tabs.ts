import { Type, closed, nullable, oneOf, type Static } from '../schema.ts';
import { textForms } from '../text-forms.ts';

/** A tab of a session: its first one, or one opened by a page. */
export const TabId = Type.String({ pattern: textForms.tabId.pattern });
export const Tab = closed({
  id: TabId,
  url: Type.String(),
  title: Type.String(),
  /** Null if no page opened it; the opener may be closed. */
  opener_id: nullable(TabId),
  /** Whether it is the active tab, which operations use. */
  active: Type.Boolean(),
});

/** A file downloaded by the page. A `failed` one, or one `refused` as too large, is not stored. */
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

/** Those since the previous operation that listed them; absent if none. */
export const happened = {
  dialogs: Type.Optional(Type.Array(Dialog)),
  downloads: Type.Optional(Type.Array(Download)),
};

export type Tab = Static<typeof Tab>;
export type Download = Static<typeof Download>;
export type Dialog = Static<typeof Dialog>;
