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

/** The browser of one session: its tabs, and who answers for the person that pages ask for. */
export function createBrowser(config) {
  const context = createContext(config);
  const dialogs = createDialogs();
  const downloads = createDownloads({
    context,
    directory: config.downloads,
    started: (download) => {
      const tab = tabs.showing(download.get_web_view());
      if (!tab) return;
      // What a link has a browser download is asked for as a page first.
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
  const tabs = createTabs({
    ...{ context, content, picture },
    equip: (tab) => {
      for (const part of [viewport, frames, sites, dialogs, downloads, signIn, location]) part.follow(tab);
      tab.view.connect('web-process-terminated', (view, reason) => {
        if (reason !== WebKit2.WebProcessTerminationReason.TERMINATED_BY_API) return terminated();
        // A page that did not let itself be left has been ended with its process, which other tabs may have had too.
        // Not reloaded, which could send a form again.
        if (tab !== tabs.active) view.load_uri(view.get_uri() ?? 'about:blank');
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
    /** The process that shows a page is gone. The last listener is the one that is told. */
    onTermination: (listener) => {
      terminated = listener;
    },
  };
}
