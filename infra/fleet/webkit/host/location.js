import WebKit2 from 'gi://WebKit2?version=4.1';

/**
 * Answers permission requests of pages: all are refused, except geolocation once a position is set. The position is the
 * one that was set, wherever this machine is.
 */
export function createLocation(context) {
  const manager = context.get_geolocation_manager();
  let position = null;
  manager.connect('start', () => {
    if (position === null) manager.failed('The phone does not know.');
    else manager.update_position(position);
    // Handled here, so that no service of the system is used.
    return true;
  });
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
      position = new WebKit2.GeolocationPosition(latitude, longitude, accuracy);
      views.forEach(answerQueries);
    },
    follow: ({ view }) => {
      view.connect('permission-request', (_view, request) => {
        if (position !== null && request instanceof WebKit2.GeolocationPermissionRequest) request.allow();
        else request.deny();
        return true;
      });
      if (position !== null) answerQueries(view);
    },
  };
}
