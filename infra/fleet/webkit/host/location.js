import WebKit2 from 'gi://WebKit2?version=4.1';

/**
 * What pages may do that a person is asked for: nothing, except to know where the phone is, once that has been said. It is where it
 * was said to be, whatever is around this machine.
 */
export function createLocation(context) {
  const manager = context.get_geolocation_manager();
  let position = null;
  manager.connect('start', () => {
    if (position === null) manager.failed('The phone does not know.');
    else manager.update_position(position);
    // Nobody else is asked, such as a service of the system.
    return true;
  });
  return {
    locate: ({ latitude, longitude, accuracy }) => {
      position = new WebKit2.GeolocationPosition(latitude, longitude, accuracy);
    },
    follow: ({ view }) => {
      view.connect('permission-request', (_view, request) => {
        if (position !== null && request instanceof WebKit2.GeolocationPermissionRequest) request.allow();
        else request.deny();
        return true;
      });
      view.connect('query-permission-state', (_view, query) => {
        if (position === null || query.get_name() !== 'geolocation') return false;
        query.finish(WebKit2.PermissionState.GRANTED);
        return true;
      });
    },
  };
}
