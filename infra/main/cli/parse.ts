import { InvalidArgumentError } from 'commander';
import {
  parseId,
  type AccountId,
  type ApiKeyId,
  type MailId,
  type NodeId,
  type WebhookDeliveryId,
  type WebhookId,
} from '../../../contracts/ids.ts';
import { tiers, type Tier } from '../../../contracts/tiers.ts';

/** Reads an argument or tells the operator what it takes; commander puts the option's name in front. */
export function accountId(text: string): AccountId {
  return parseId('account', text) ?? wrong('It takes an id of the form acc_<uuid>.');
}

export function apiKeyId(text: string): ApiKeyId {
  return parseId('apiKey', text) ?? wrong('It takes an id of the form key_<uuid>.');
}

export function nodeId(text: string): NodeId {
  return parseId('node', text) ?? wrong('It takes an id of the form node_<uuid>.');
}

export function webhookId(text: string): WebhookId {
  return parseId('webhook', text) ?? wrong('It takes an id of the form whk_<uuid>.');
}

export function deliveryId(text: string): WebhookDeliveryId {
  return parseId('webhookDelivery', text) ?? wrong('It takes an id of the form dlv_<uuid>.');
}

export function mailId(text: string): MailId {
  return parseId('mail', text) ?? wrong('It takes an id of the form mail_<uuid>.');
}

/** ISO 8601, with a zone or none: then it is UTC. */
export function time(text: string): string {
  const [, date, rest = ''] = /^(\d{4}-\d\d-\d\d)(T.*)?$/.exec(text) ?? [];
  const zoned = rest === '' || /(Z|[+-]\d\d:\d\d)$/.test(rest) ? rest : `${rest}Z`;
  const at = Date.parse(`${date ?? ''}${zoned}`);
  return Number.isNaN(at)
    ? wrong('It takes a time such as 2026-01-05T12:00:00Z.')
    : new Date(at).toISOString();
}

export function tier(text: string): Tier {
  return tiers.find((each) => each === text) ?? wrong(`It takes one of ${tiers.join(', ')}.`);
}

export function count(text: string): number {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : wrong('It takes a whole number above 0.');
}

function wrong(message: string): never {
  throw new InvalidArgumentError(message);
}
