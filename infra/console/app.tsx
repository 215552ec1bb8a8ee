import type { ComponentType } from 'preact';
import { ErrorBoundary, LocationProvider, Route, Router, lazy } from 'preact-iso';
import { areas } from './areas.ts';
import { Frame } from './parts/frame.tsx';
import { NotFound, NotLoaded } from './parts/not-found.tsx';
import { addressOf, base, setPlaces, type Page } from './parts/places.ts';
import { SignedIn } from './parts/signed-in.tsx';

setPlaces(areas);

/** A page that needs somebody signed in has somebody when it is shown; the file of each comes when it is first opened. */
function shown({ load, isOpen }: Page): ComponentType {
  const Content = lazy<ComponentType>(() => load().catch(() => NotLoaded));
  if (isOpen) return Content;
  return () => (
    <SignedIn>
      <Content />
    </SignedIn>
  );
}

const routes = areas
  .flatMap(({ pages }) => pages)
  .map((page) => ({ path: addressOf(page.path).replace(/\/$/, ''), component: shown(page) }));

export const App = () => (
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
