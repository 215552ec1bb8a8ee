import type { ProxyCommands } from '../../commands/proxy.ts';
import type { Handling, HandlersOf } from '../engine/handling.ts';

/** The route that checks a proxy. */
export const proxyHandlers = (
  proxies: ProxyCommands,
  { answeringOn }: Handling,
): HandlersOf<'proxies.check'> => ({
  'proxies.check': answeringOn(({ accountId }, id) => proxies.find(accountId, id))(
    async ({ caller, found }) => {
      const { check, position } = await proxies.check(found, caller.context);
      return { body: check, position };
    },
  ),
});
