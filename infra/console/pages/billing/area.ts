import type { Area } from '../../parts/places.ts';
import { words } from './strings.ts';

export const billing: Area = {
  id: 'billing',
  pages: [
    { path: '/billing', name: words.billing, load: async () => (await import('./billing.tsx')).BillingPage },
    {
      path: '/billing/explain',
      name: words.explain,
      isOwn: true,
      load: async () => (await import('./explain.tsx')).Explain,
    },
    {
      path: '/billing/orders/:id',
      name: words.order,
      isOwn: true,
      load: async () => (await import('./order.tsx')).OrderPage,
    },
  ],
  ids: { ord_: '/billing/orders' },
};
