import type { Area } from '../../parts/places.ts';
import { words } from './strings.ts';

/** Areas of the operator's console, which only a command on loopback serves. */
export const operatorAreas: readonly Area[] = [
  {
    id: 'nodes',
    pages: [{ path: '/', name: words.nodes, load: async () => (await import('./nodes.tsx')).Nodes }],
  },
  {
    id: 'readModels',
    pages: [
      {
        path: '/read-models',
        name: words.readModels,
        load: async () => (await import('./read-models.tsx')).ReadModels,
      },
    ],
  },
  {
    id: 'parked',
    pages: [{ path: '/parked', name: words.parked, load: async () => (await import('./parked.tsx')).Parked }],
  },
  {
    id: 'deliveries',
    pages: [
      {
        path: '/deliveries',
        name: words.deliveries,
        load: async () => (await import('./deliveries.tsx')).Deliveries,
      },
    ],
  },
  {
    id: 'mails',
    pages: [{ path: '/mails', name: words.mails, load: async () => (await import('./mails.tsx')).Mails }],
  },
  {
    id: 'accounts',
    pages: [
      {
        path: '/accounts',
        name: words.accounts,
        load: async () => (await import('./accounts.tsx')).Accounts,
      },
      {
        path: '/accounts/:id',
        name: words.account,
        load: async () => (await import('./accounts.tsx')).AccountPage,
      },
    ],
    ids: { acc_: '/accounts' },
  },
  {
    id: 'streams',
    pages: [
      { path: '/streams', name: words.streams, load: async () => (await import('./streams.tsx')).Streams },
      {
        path: '/streams/:name',
        name: words.stream,
        load: async () => (await import('./streams.tsx')).Stream,
      },
      { path: '/traces/:id', name: words.trace, load: async () => (await import('./trace.tsx')).Trace },
    ],
    ids: { req_: '/traces', dlv_: '/traces', mail_: '/traces' },
  },
];
