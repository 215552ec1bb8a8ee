import { createHmac } from 'node:crypto';

/** An account's name in signed notes and in the public tree. It never changes, and reveals nothing without the account's salt. */
export const pseudonymOf = (accountId: string, salt: Uint8Array): string =>
  createHmac('sha256', salt).update(accountId).digest('base64url');
