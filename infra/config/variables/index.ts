import type { Variable } from '../kinds.ts';
import { access } from './access.ts';
import { addresses } from './addresses.ts';
import { agents } from './agents.ts';
import { billing } from './billing.ts';
import { fleet } from './fleet.ts';
import { llm } from './llm.ts';
import { mail } from './mail.ts';
import { operation } from './operation.ts';
import { secrets } from './secrets.ts';
import { sessions } from './sessions.ts';
import { signIn } from './sign-in.ts';
import { stores } from './stores.ts';
import { webhooks } from './webhooks.ts';

/** All variables that the service reads. */
export const variables = {
  ...addresses,
  ...stores,
  ...secrets,
  ...sessions,
  ...access,
  ...signIn,
  ...fleet,
  ...webhooks,
  ...mail,
  ...llm,
  ...agents,
  ...billing,
  ...operation,
} as const;

/** The same by section of `docs/configuration.md`. */
export const sections: Readonly<Record<string, Readonly<Record<string, Variable<unknown>>>>> = {
  'Addresses and files': addresses,
  Stores: stores,
  Secrets: secrets,
  Sessions: sessions,
  'Keys and access': access,
  'Signing up and in': signIn,
  'Browsers and nodes': fleet,
  Webhooks: webhooks,
  Mail: mail,
  'Language models': llm,
  'Agent sessions': agents,
  Billing: billing,
  Operation: operation,
};
