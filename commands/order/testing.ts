import type { OrderUpkeep } from './upkeep.ts';

/** For a world without orders. */
export const noOrders: OrderUpkeep = {
  reconcile: () => Promise.reject(new Error('There are no payments here.')),
  end: () => Promise.reject(new Error('There are no orders here.')),
  check: () => Promise.reject(new Error('There are no orders here.')),
  entitle: () => Promise.reject(new Error('There are no paid orders here.')),
};
