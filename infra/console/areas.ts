import type { Area } from './parts/places.ts';
import { live } from './pages/live/area.ts';
import { overview } from './pages/overview/area.ts';
import { sessions } from './pages/sessions/area.ts';
import { settings } from './pages/settings/area.ts';
import { signIn } from './pages/sign-in/area.ts';

/** Every area that has pages. The order of the navigation is that of its names. */
export const areas: readonly Area[] = [overview, sessions, settings, signIn, live];
