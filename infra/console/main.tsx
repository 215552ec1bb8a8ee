import { render } from 'preact';
import { App } from './app.tsx';
import { addressOf } from './parts/places.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/frame.css';
import './styles/parts.css';
import './styles/phone.css';

/** The router takes addresses for texts, which such as `%E0` are not: they have no page. */
try {
  decodeURIComponent(location.pathname);
} catch {
  history.replaceState(null, '', addressOf('/nothing'));
}

const root = document.getElementById('app');
if (root) render(<App />, root);
