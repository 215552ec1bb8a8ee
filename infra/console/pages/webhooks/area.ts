import type { Area } from '../../parts/places.ts';
import { words } from './strings.ts';

export const webhooks: Area = {
  id: 'webhooks',
  pages: [
    { path: '/webhooks', name: words.webhooks, load: async () => (await import('./webhooks.tsx')).Webhooks },
    {
      path: '/webhooks/:id',
      name: words.webhook,
      load: async () => (await import('./webhook.tsx')).WebhookPage,
    },
    {
      path: '/deliveries/:id',
      name: words.delivery,
      load: async () => (await import('./delivery.tsx')).DeliveryPage,
    },
  ],
  ids: { whk_: '/webhooks', dlv_: '/deliveries' },
};
