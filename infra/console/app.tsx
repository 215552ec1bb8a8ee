import type { ComponentChildren, ComponentType } from 'preact';
import { render } from 'preact';
import { ErrorBoundary, LocationProvider, Route, Router, lazy, useRoute } from 'preact-iso';
import { Insecure } from './parts/insecure.tsx';
import { NotFound, NotLoaded } from './parts/not-found.tsx';
import { addressOf, base, fits, routeOf, setPlaces, type Area, type Page } from './parts/places.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/frame.css';
import './styles/parts.css';

type Around = ComponentType<{ readonly children: ComponentChildren }>;

interface AppOptions {
  readonly areas: readonly Area[];
  /** Renders its content only for users who may see it. */
  readonly Gate: Around;
  /** Layout around every page. */
  readonly Frame: Around;
}

/** Mounts the router with the pages of a console, where the browser has what they need. */
export function start({ areas, Gate, Frame }: AppOptions): void {
  const root = document.getElementById('app');
  if (!root) return;
  if (!isSecureContext) return render(<Insecure />, root);
  setPlaces(areas);
  leaveUndecodable();
  const routes = areas
    .flatMap(({ pages }) => pages)
    .map((page) => ({ path: routeOf(page), ...shown(page, Gate) }));
  loadWhatIsPointedAt(routes);
  const app = (
    <LocationProvider scope={base}>
      <ErrorBoundary>
        <Frame>
          <Router>
            {routes.map(({ path, component }) => (
              <Route key={path} path={path} component={component} />
            ))}
            <Route default component={NotFound} />
          </Router>
        </Frame>
      </ErrorBoundary>
    </LocationProvider>
  );
  render(app, root);
}

interface Shown {
  readonly component: ComponentType;
  readonly preload: () => Promise<unknown>;
}

/** Renders a page, behind the gate unless it is open to everyone. Its chunk is loaded on first use. */
function shown({ load, isOpen }: Page, Gate: Around): Shown {
  const Content = lazy<ComponentType>(() => load().catch(() => NotLoaded));
  const { preload } = Content;
  if (isOpen) return { component: Content, preload };
  const component = () => (
    <Gate>
      {/* By its address: the page of another resource has nothing of this one, such as a secret that is shown once. */}
      <Content key={useRoute().path} />
    </Gate>
  );
  return { component, preload };
}

/** Preloads a page's chunk when a link to it is hovered or focused, so that it is loaded by the click. */
function loadWhatIsPointedAt(routes: readonly (Shown & { readonly path: string })[]): void {
  const look = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest('a') : null;
    if (link === null || link.origin !== location.origin) return;
    void routes.find(({ path }) => fits(link.pathname, path))?.preload();
  };
  for (const type of ['pointerover', 'focusin']) document.addEventListener(type, look);
}

/** The router decodes addresses; an invalid encoding such as `%E0` has no page. */
function leaveUndecodable(): void {
  try {
    decodeURIComponent(location.pathname);
  } catch {
    history.replaceState(null, '', addressOf('/nothing'));
  }
}
