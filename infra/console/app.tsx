import type { ComponentType } from 'preact';
import { LocationProvider, Route, Router } from 'preact-iso';
import { Frame } from './parts/frame.tsx';
import { Device } from './pages/device.tsx';
import { Invite } from './pages/invite.tsx';
import { MagicLink } from './pages/magic-link.tsx';
import { Merge } from './pages/merge.tsx';
import { Mfa } from './pages/mfa.tsx';
import { NotFound } from './pages/not-found.tsx';
import { Overview } from './pages/overview.tsx';
import { Reset } from './pages/reset.tsx';
import { SecondFactor } from './pages/second-factor.tsx';
import { SignIn } from './pages/sign-in.tsx';
import { SignUp } from './pages/sign-up.tsx';
import { Verify } from './pages/verify.tsx';

/** Every page by its address below `/console`. Mails link to `magic`. */
const pages: Readonly<Record<string, ComponentType>> = {
  '/': Overview,
  '/sign-in': SignIn,
  '/sign-up': SignUp,
  '/verify': Verify,
  '/magic': MagicLink,
  '/magic-link': MagicLink,
  '/reset': Reset,
  '/merge': Merge,
  '/invite': Invite,
  '/device': Device,
  '/mfa': Mfa,
  '/settings/second-factor': SecondFactor,
};

export const base = '/console';

export const App = () => (
  <LocationProvider scope={base}>
    <Frame>
      <Router>
        {Object.entries(pages).map(([path, page]) => (
          <Route key={path} path={`${base}${path === '/' ? '' : path}`} component={page} />
        ))}
        <Route default component={NotFound} />
      </Router>
    </Frame>
  </LocationProvider>
);
