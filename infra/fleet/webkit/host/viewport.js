import WebKit2 from 'gi://WebKit2?version=4.1';
import { ofDocument, world } from './view.js';

/**
 * Runs in our world at the start of each page: reports the content of its viewport tag as soon as there is one, or a
 * body without one.
 */
export const viewportScript = `(() => {
  let told;
  const tell = () => {
    const tags = Document.prototype.querySelectorAll.call(document, 'meta[name="viewport" i]');
    const content = tags[tags.length - 1]?.content;
    if (content === undefined && !${ofDocument('body')}) return;
    const said = JSON.stringify(content ?? null);
    globalThis.viewportTag = said;
    if (said !== told) webkit.messageHandlers.viewport.postMessage(said);
    told = said;
  };
  new MutationObserver(tell).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['content'] });
  document.addEventListener('DOMContentLoaded', tell);
})();`;

/** Layout width in CSS pixels of a page that does not set one. */
const standardWidth = 980;
const narrowest = 200;
const widest = 10_000;

/** Layout width, on a phone of this width, of a page with this viewport tag; null for a page without one. */
export function layoutWidth(content, deviceWidth) {
  if (content === null) return standardWidth;
  const said = new Map(
    content.split(/[,;]/).map((part) => part.split('=', 2).map((side) => side.trim().toLowerCase())),
  );
  const within = (width) => Math.min(widest, Math.max(narrowest, width));
  const width = said.get('width');
  const scale = Number.parseFloat(said.get('initial-scale') ?? '');
  if (width === 'device-width') return deviceWidth;
  if (Number.parseFloat(width ?? '') > 0) return within(Number.parseFloat(width));
  return scale > 0 ? within(deviceWidth / scale) : standardWidth;
}

/** Lays out the pages of all tabs as wide as a phone of `deviceWidth` does, and scales them to fit. */
export function followViewport(content) {
  const layout = { deviceWidth: 0 };
  const views = new Set();
  const layOut = (view, width) => {
    const zoom = layout.deviceWidth / width;
    if (view.get_zoom_level() !== zoom) view.set_zoom_level(zoom);
  };
  const ask = async (view) => {
    const script = 'return globalThis.viewportTag ?? null;';
    const answer = await view
      .call_async_javascript_function(script, -1, null, world, null, null)
      .catch(() => null);
    if (answer?.is_string() && views.has(view))
      layOut(view, layoutWidth(JSON.parse(answer.to_string()), layout.deviceWidth));
  };
  content.register_script_message_handler_in_world('viewport', world);
  content.connect('script-message-received::viewport', (_content, message) => {
    const [view, ...others] = views;
    // With several pages the message does not identify its page.
    if (others.length > 0) return views.forEach((each) => void ask(each));
    return layOut(view, layoutWidth(JSON.parse(message.get_js_value().to_string()), layout.deviceWidth));
  });
  return {
    layout,
    follow: ({ view }) => {
      views.add(view);
      view.connect('destroy', () => views.delete(view));
      view.connect('load-changed', (_view, change) => {
        if (change === WebKit2.LoadEvent.COMMITTED && layout.deviceWidth > 0)
          layOut(view, layout.deviceWidth);
      });
    },
  };
}
