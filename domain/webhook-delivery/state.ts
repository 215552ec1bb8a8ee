import type { WebhookDeliveryEvent } from '../../contracts/events/webhook-delivery.ts';

type Scheduled = Extract<WebhookDeliveryEvent, { type: 'DeliveryScheduled' }>['data'];

interface DeliveryFacts extends Omit<Scheduled, 'dueAt' | 'underWayUntil' | 'at'> {
  /** Attempts whose outcome is recorded. */
  readonly attempts: number;
  /** Of these, those of the round before the present one: a requeue begins a new round. */
  readonly attemptsBefore: number;
  readonly createdAt: string;
}

export interface OpenDelivery extends DeliveryFacts {
  /** `pending` before the first attempt of a round, `retrying` after it. */
  readonly status: 'pending' | 'retrying';
  /** The next attempt is not made before this. */
  readonly dueAt: string;
}

export interface ClosedDelivery extends DeliveryFacts {
  readonly status: 'delivered' | 'dead_letter' | 'cancelled';
}

/** `none` is a stream without events. */
export type WebhookDelivery = { readonly status: 'none' } | OpenDelivery | ClosedDelivery;

export const noDelivery: WebhookDelivery = { status: 'none' };

/** It waits for an attempt. */
export const isOpen = (delivery: WebhookDelivery): delivery is OpenDelivery =>
  delivery.status === 'pending' || delivery.status === 'retrying';
