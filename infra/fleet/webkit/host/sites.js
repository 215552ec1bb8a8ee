import WebKit2 from 'gi://WebKit2?version=4.1';

const defaultPorts = { http: 80, https: 443 };

/** Collects the sites, as in `example.test:443`, that tabs have shown pages of. */
export function followSites() {
  const shown = new Set();
  return {
    shown,
    follow: ({ view }) =>
      view.connect('load-changed', (_view, change) => {
        if (change !== WebKit2.LoadEvent.COMMITTED) return;
        const origin = WebKit2.SecurityOrigin.new_for_uri(view.get_uri());
        const protocol = origin.get_protocol();
        if (protocol in defaultPorts)
          shown.add(`${origin.get_host()}:${origin.get_port() || defaultPorts[protocol]}`);
      }),
  };
}
