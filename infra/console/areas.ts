import type { Area } from './parts/places.ts';
import { agents } from './pages/agents/area.ts';
import { audit } from './pages/audit/area.ts';
import { billing } from './pages/billing/area.ts';
import { keys } from './pages/keys/area.ts';
import { live } from './pages/live/area.ts';
import { overview } from './pages/overview/area.ts';
import { profiles } from './pages/profiles/area.ts';
import { recipes } from './pages/recipes/area.ts';
import { requests } from './pages/requests/area.ts';
import { sessions } from './pages/sessions/area.ts';
import { settings } from './pages/settings/area.ts';
import { signIn } from './pages/sign-in/area.ts';
import { status } from './pages/status/area.ts';
import { team } from './pages/team/area.ts';
import { usage } from './pages/usage/area.ts';
import { webhooks } from './pages/webhooks/area.ts';

/** Every area that has pages. The order of the navigation is that of its names. */
export const areas: readonly Area[] = [
  ...[overview, sessions, agents, profiles, recipes, webhooks, keys, audit],
  ...[requests, usage, billing, team, settings, status, signIn, live],
];
