import GLib from 'gi://GLib?version=2.0';
import Gtk from 'gi://Gtk?version=3.0';
import { CommandFailed } from './channel.js';
import { followLoading } from './loading.js';
import { addressOf, createView, titleOf, world } from './view.js';

/** Maximal number of tabs of a session. Further ones that pages open are refused. */
const mostTabs = 10;

/**
 * The tabs of one session, as on a phone: one is in front, fills the window and has the focus; the others are hidden. A tab that a page
 * opens comes to the front. When the tab in front closes, its opener comes to the front, or else the previous tab. During an action its tab
 * stays in front, so that the page that was aimed at is the one that is touched.
 */
export function createTabs({ context, content, picture, equip }) {
  const window = new Gtk.Window({ decorated: false });
  // Holds all views at full size, the one in front on top.
  const overlay = new Gtk.Overlay();
  window.add(overlay);
  /** Tabs by id, in the order of opening. */
  const tabs = new Map();
  /** Tabs in the order in which they were last in front; the last one is in front now. */
  let recent = [];
  /** The last tab that a page opened while the tab in front was held. */
  let opened;
  let held = false;
  /** Whether a page has opened a tab since the last touch, key or action began. */
  let isSpent = false;

  const front = () => recent.at(-1);
  const find = (id) => {
    const tab = tabs.get(id);
    if (!tab) throw new CommandFailed('no_tab', 'There is no such tab.');
    return tab;
  };
  /** Listeners to a view leaving the front. */
  const leaving = new Map();
  const activate = (tab) => {
    const before = front();
    recent = [...recent.filter((other) => other !== tab), tab];
    overlay.reorder_overlay(tab.view, -1);
    for (const { view } of tabs.values()) view.set_visible(view === tab.view);
    tab.view.grab_focus();
    if (before !== tab) for (const [listener, view] of [...leaving]) if (view === before.view) listener();
  };
  /** Brings a tab to the front, which hides the one before. */
  const arrive = () => {
    if (opened !== undefined) activate(opened);
    opened = undefined;
  };
  const close = (tab) => {
    if (tabs.size === 1) throw new CommandFailed('last_tab', 'A session keeps its last tab.');
    const others = recent.filter((other) => other !== tab);
    const next = tab === front() ? (opened ?? tabs.get(tab.opener)) : front();
    tabs.delete(tab.id);
    if (opened === tab || opened === next) opened = undefined;
    // The closed tab is still in front before it: that calls its listeners.
    activate(next ?? others.at(-1));
    recent = recent.filter((other) => other !== tab);
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
      /** `{url, status}` of the file that the last load led to; null if it led to none. */
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
      isSpent = true;
      const added = add(tab);
      added.loading.expect(url);
      return added.view;
    });
    view.connect('close', () => {
      // A page may close a tab that holds no other page. The session's last tab stays.
      if (tabs.size > 1 && tabs.has(tab.id)) close(tab);
    });
    overlay.add_overlay(view);
    // Shown below the tab in front, so that the page has its size and counts as visible.
    overlay.reorder_overlay(view, 0);
    view.show();
    opened = tab;
    if (!held) arrive();
    return tab;
  };
  /** Each touch, and each action, opens one tab at most. */
  const mayOpen = (action) =>
    action.is_user_gesture() && tabs.size < mostTabs && !isSpent && opened === undefined;

  content.register_script_message_handler_in_world('dom', world);
  // The message does not identify its page: pages share their user content manager with those that they open.
  content.connect('script-message-received::dom', () => tabs.forEach(({ loading }) => loading.look()));
  add(undefined);
  window.show_all();
  // Without a window manager the window must take the focus itself; otherwise pages would see themselves as blurred.
  window.present();
  return {
    window,
    get active() {
      return front();
    },
    /** Calls the listener when this view leaves the front, until the returned function is called. */
    onLeaving: (view, listener) => {
      leaving.set(listener, view);
      return () => leaving.delete(listener);
    },
    find,
    /** The last one is in front. */
    views: () => recent.map(({ view }) => view),
    showing: (view) => [...tabs.values()].find((tab) => tab.view === view),
    /** Sets the scripts that every page runs at its start, in current and later tabs. */
    present: (scripts) => {
      content.remove_all_scripts();
      for (const script of scripts) content.add_script(script);
    },
    /** A touch or a key begins, by which a page may open a tab. */
    touched: () => {
      isSpent = false;
    },
    /** An action begins. Keeps the tab in front there until `release`. Loads that failed before are not the action's. */
    hold: () => {
      held = true;
      isSpent = false;
      for (const { loading } of tabs.values()) loading.takeFailure();
    },
    release: () => {
      held = false;
      arrive();
    },
    activate: (id) => activate(find(id)),
    close: (id) => close(id === null ? front() : find(id)),
    /** A tab that was opened only for a download has no page to show. */
    closeEmpty: (tab) => {
      const hasPage = tab.view.get_back_forward_list().get_length() > 0;
      if (tab.opener !== null && !hasPage && tabs.size > 1) close(tab);
    },
    list: () =>
      [...tabs.values()].map(({ id, view, opener }) => ({
        id,
        url: addressOf(view),
        title: titleOf(view),
        opener_id: opener,
        active: id === front().id,
      })),
  };
}
