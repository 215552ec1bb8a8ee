import type { Route } from '../../contracts/routes.ts';

/** Throws when an answer breaks what the table says the route gives. */
export type CheckReply = (route: Route, status: number, contentType: string, body: unknown) => Promise<void>;

export const checkNothing: CheckReply = async () => undefined;
