import GLib from 'gi://GLib?version=2.0';
import Gtk from 'gi://Gtk?version=3.0';
import { CommandFailed } from './channel.js';
import { followLoading } from './loading.js';
import { createView, titleOf, world } from './view.js';

/** Tabs of one session: a page that opens more gets none. */
const mostTabs = 10;

/**
 * The tabs of one session, as on a phone: one is in front, fills the window and has the focus; the others are hidden. A tab that
 * a page opens comes to the front, and when the tab in front closes, its opener does, or else the one that was in front before.
 * While an action is under way its tab stays in front: what is aimed at and what is touched are the same page.
 */
export function createTabs({ context, content, picture, equip }) {
  const window = new Gtk.Window({ decorated: false });
  // Each view fills it, the one in front above the others.
  const overlay = new Gtk.Overlay();
  window.add(overlay);
  /** By their ids, in the order of opening. */
  const tabs = new Map();
  /** In the order of having been in front: the last one is. */
  let recent = [];
  /** The last tab that a page has opened while the one in front was held. */
  let opened;
  let held = false;

  const front = () => recent.at(-1);
  const find = (id) => {
    const tab = tabs.get(id);
    if (!tab) throw new CommandFailed('no_tab', 'There is no such tab.');
    return tab;
  };
  /** What is called when a view is no longer the one in front. */
  const leaving = new Map();
  const activate = (tab) => {
    const before = front();
    recent = [...recent.filter((other) => other !== tab), tab];
    overlay.reorder_overlay(tab.view, -1);
    for (const { view } of tabs.values()) view.set_visible(view === tab.view);
    tab.view.grab_focus();
    if (before !== tab) for (const [listener, view] of [...leaving]) if (view === before.view) listener();
  };
  /** Has what was opened be in front. The tab before is hidden by it. */
  const arrive = () => {
    if (opened !== undefined) activate(opened);
    opened = undefined;
  };
  const close = (tab) => {
    if (tabs.size === 1) throw new CommandFailed('last_tab', 'A session keeps its last tab.');
    const next = tab === front() ? (opened ?? tabs.get(tab.opener)) : front();
    tabs.delete(tab.id);
    recent = recent.filter((other) => other !== tab);
    if (opened === tab || opened === next) opened = undefined;
    activate(next ?? front());
    tab.loading.close();
    tab.view.destroy();
  };
  const add = (opener) => {
    const { view, inputMethod } = createView({ context, content, picture, related: opener?.view });
    const tab = {
      id: `tab_${GLib.uuid_string_random()}`,
      view,
      inputMethod,
      opener: opener?.id ?? null,
      /** `{url, status}` of the file that the last load led to; null when it led to none. */
      file: null,
      loading: followLoading(view),
    };
    tabs.set(tab.id, tab);
    recent = [tab, ...recent];
    equip(tab);
    view.connect('create', (_view, action) => {
      const url = action.get_request().get_uri();
      tab.loading.forget(url);
      if (!mayOpen(action)) return null;
      const added = add(tab);
      added.loading.expect(url);
      return added.view;
    });
    view.connect('close', () => {
      // A page may close a tab that it is the only thing of. The session's last one stays.
      if (tabs.size > 1 && tabs.has(tab.id)) close(tab);
    });
    overlay.add_overlay(view);
    // Below the one in front, where the page has its size and counts as visible.
    overlay.reorder_overlay(view, 0);
    view.show();
    opened = tab;
    if (!held) arrive();
    return tab;
  };
  /** Each touch opens one at most. */
  const mayOpen = (action) => action.is_user_gesture() && tabs.size < mostTabs && opened === undefined;

  content.register_script_message_handler_in_world('dom', world);
  // It does not say whose page it is: a page shares what it may say with those that it opens.
  content.connect('script-message-received::dom', () => tabs.forEach(({ loading }) => loading.look()));
  add(undefined);
  window.show_all();
  // There is no window manager to give it the focus of its display: without it the page would count as left by its person.
  window.present();
  return {
    window,
    get active() {
      return front();
    },
    /** Calls the listener when another tab takes the place of the one with this view, until what it gives is called. */
    onLeaving: (view, listener) => {
      leaving.set(listener, view);
      return () => leaving.delete(listener);
    },
    find,
    /** The one in front is the last. */
    views: () => recent.map(({ view }) => view),
    showing: (view) => [...tabs.values()].find((tab) => tab.view === view),
    /** What every page runs at its start from now on, also in the tabs to come. */
    present: (scripts) => {
      content.remove_all_scripts();
      for (const script of scripts) content.add_script(script);
    },
    /** Keeps the tab in front there until `release`. */
    hold: () => {
      held = true;
    },
    release: () => {
      held = false;
      arrive();
    },
    activate: (id) => activate(find(id)),
    close: (id) => close(id === null ? front() : find(id)),
    /** A tab that was opened for a file alone has no page to show. */
    closeEmpty: (tab) => {
      const hasPage = tab.view.get_back_forward_list().get_length() > 0;
      if (tab.opener !== null && !hasPage && tabs.size > 1) close(tab);
    },
    list: () =>
      [...tabs.values()].map(({ id, view, opener }) => ({
        id,
        url: view.get_uri() ?? 'about:blank',
        title: titleOf(view),
        opener_id: opener,
        active: id === front().id,
      })),
  };
}
