import { createHmac } from 'node:crypto';

/** What an account is called in signed notes and in the public tree: the same for good, and of no use to those without its salt. */
export const pseudonymOf = (accountId: string, salt: Uint8Array): string =>
  createHmac('sha256', salt).update(accountId).digest('base64url');
