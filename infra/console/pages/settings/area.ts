import type { Area } from '../../parts/places.ts';
import { words } from './strings.ts';

export const settings: Area = {
  id: 'settings',
  pages: [
    { path: '/settings', name: words.settings, load: async () => (await import('./settings.tsx')).Settings },
    {
      path: '/settings/organization',
      name: words.organization,
      load: async () => (await import('./organization.tsx')).OrganizationPage,
    },
    {
      path: '/settings/model',
      name: words.model,
      isOwn: true,
      load: async () => (await import('./model.tsx')).Model,
    },
    {
      path: '/settings/proxies',
      name: words.proxies,
      isOwn: true,
      load: async () => (await import('./proxies.tsx')).Proxies,
    },
    {
      path: '/settings/proxies/:id',
      name: words.proxy,
      isOwn: true,
      load: async () => (await import('./proxy.tsx')).ProxyPage,
    },
    { path: '/settings/mails', name: words.mails, load: async () => (await import('./mails.tsx')).Mails },
    {
      path: '/settings/second-factor',
      name: words.secondFactor,
      isOwn: true,
      load: async () => (await import('./second-factor.tsx')).SecondFactor,
    },
    {
      path: '/settings/deprecations',
      name: words.deprecations,
      isOwn: true,
      load: async () => (await import('./deprecations.tsx')).Deprecations,
    },
  ],
};
