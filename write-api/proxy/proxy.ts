import type { ProxyCommands } from '../../commands/proxy.ts';
import { presentProxy } from '../../contracts/resources/proxy.ts';
import type { Handling, HandlersOf } from '../engine/handling.ts';

type ProxyRoutes = 'proxies.create' | 'proxies.update' | 'proxies.delete' | 'proxies.check';

const shown = ({ record, position }: Awaited<ReturnType<ProxyCommands['create']>>) => ({
  body: presentProxy(record),
  position,
});

/** The routes that save, change, try and delete proxies. */
export function proxyHandlers(
  proxies: ProxyCommands,
  { answering, answeringOn }: Handling,
): HandlersOf<ProxyRoutes> {
  const onProxy = answeringOn(({ accountId }, id) => proxies.find(accountId, id));
  const onEvenDeleted = answeringOn(({ accountId }, id) => proxies.findEvenDeleted(accountId, id));
  return {
    'proxies.create': answering(async ({ caller, body }) =>
      shown(await proxies.create(caller.accountId, body, caller.context)),
    ),
    'proxies.update': onProxy(async ({ caller, found, body }) =>
      shown(await proxies.change(found, body, caller.context)),
    ),
    'proxies.delete': onEvenDeleted(async ({ caller, found }) => ({
      position: await proxies.delete(found, caller.context),
    })),
    'proxies.check': onProxy(async ({ caller, found }) => {
      const { check, position } = await proxies.check(found, caller.context);
      return { body: check, position };
    }),
  };
}
