import WebKit2 from 'gi://WebKit2?version=4.1';
import { createDialogs } from './dialogs.js';
import { createDownloads } from './downloads.js';
import { followAnswers } from './gestures.js';
import { followFrames } from './frames.js';
import { createLocation } from './location.js';
import { createPicture } from './shown-window.js';
import { keepSessions } from './session-storage.js';
import { createSignIn } from './sign-in.js';
import { followSites } from './sites.js';
import { createTabs } from './tabs.js';
import { createContext, withoutScrollbars } from './view.js';
import { followViewport } from './viewport.js';

/** The browser of one session: its tabs, and automatic answers to everything that a page asks of a person. */
export function createBrowser(config) {
  const context = createContext(config);
  const dialogs = createDialogs((tab) => tab === tabs.active);
  const downloads = createDownloads({
    context,
    directory: config.downloads,
    started: (download) => {
      const tab = tabs.showing(download.get_web_view());
      if (!tab) return;
      // WebKit first loads a link with `download` as a page.
      tab.loading.forget(download.get_request().get_uri());
      tabs.closeEmpty(tab);
    },
  });
  const signIn = createSignIn();
  const location = createLocation(context);
  const content = new WebKit2.UserContentManager();
  content.add_style_sheet(withoutScrollbars());
  const answers = followAnswers(content);
  const viewport = followViewport(content);
  const sessions = keepSessions(content);
  const frames = followFrames(content);
  const sites = followSites();
  const picture = createPicture(config.encoder);
  let terminated = () => undefined;
  let isEnding = false;
  const tabs = createTabs({
    ...{ context, content, picture },
    equip: (tab) => {
      for (const part of [viewport, frames, sites, dialogs, downloads, signIn, location]) part.follow(tab);
      tab.view.connect('web-process-terminated', (view, reason) => {
        if (reason !== WebKit2.WebProcessTerminationReason.TERMINATED_BY_API) return terminated();
        // A tab that did not leave its page had its web process ended, which other tabs may share. These load their address again, but do
        // not submit a form again.
        if (tab !== tabs.active && !isEnding) view.load_uri(view.get_uri() ?? 'about:blank');
      });
    },
  });
  return {
    ...{
      content,
      context,
      tabs,
      answers,
      layout: viewport.layout,
      dialogs,
      downloads,
      signIn,
      sessions,
      location,
      picture,
    },
    shown: sites.shown,
    /** Sets the listener for the unexpected end of a web process. It replaces the one before. */
    onTermination: (listener) => {
      terminated = listener;
    },
    /** Ends the pages of all tabs for good: none is loaded again, and their end is not reported. */
    endPages: () => {
      isEnding = true;
      terminated = () => undefined;
      for (const view of tabs.views()) view.terminate_web_process();
    },
  };
}
