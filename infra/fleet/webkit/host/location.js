import GLib from 'gi://GLib?version=2.0';
import WebKit2 from 'gi://WebKit2?version=4.1';

/** Milliseconds between two reports of the position. */
const reportMs = 1_000;

/**
 * Answers permission requests of pages: all are refused, except geolocation once a position is set. The position is the
 * one that was set, wherever this machine is.
 */
export function createLocation(context) {
  const manager = context.get_geolocation_manager();
  /** `[latitude, longitude, accuracy]`; null without a position. */
  let place = null;
  let timer = 0;
  const report = () => {
    manager.update_position(new WebKit2.GeolocationPosition(...place));
    return GLib.SOURCE_CONTINUE;
  };
  const stop = () => {
    if (timer) GLib.source_remove(timer);
    timer = 0;
  };
  manager.connect('start', () => {
    stop();
    if (place === null) manager.failed('The phone does not know.');
    else {
      report();
      // While a page watches, WebKit answers further questions by the next report only.
      timer = GLib.timeout_add(GLib.PRIORITY_DEFAULT, reportMs, report);
    }
    // Handled here, so that no service of the system is used.
    return true;
  });
  manager.connect('stop', stop);
  /**
   * Connected only once there is a position. If this handler left a query to WebKit, the query would not be answered
   * before garbage collection.
   */
  const answerQueries = (view) =>
    view.connect('query-permission-state', (_view, query) => {
      const { GRANTED, PROMPT } = WebKit2.PermissionState;
      query.finish(query.get_name() === 'geolocation' ? GRANTED : PROMPT);
      return true;
    });
  return {
    /** Called at most once, before the first page, with the views that exist already. */
    locate: ({ latitude, longitude, accuracy }, views) => {
      place = [latitude, longitude, accuracy];
      views.forEach(answerQueries);
    },
    follow: ({ view }) => {
      view.connect('permission-request', (_view, request) => {
        if (place !== null && request instanceof WebKit2.GeolocationPermissionRequest) request.allow();
        else request.deny();
        return true;
      });
      if (place !== null) answerQueries(view);
    },
  };
}
