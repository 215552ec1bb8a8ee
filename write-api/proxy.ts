import type { Caller } from '../commands/engine/context.ts';
import type { ProxyCommands } from '../commands/proxy.ts';
import { presentProxy } from '../contracts/resources/proxy.ts';
import { onFound, type Handlers } from '../infra/http/index.ts';
import { at, type Answering } from './engine/handling.ts';
import { duringOutage } from './engine/outage.ts';

type ProxyRoutes = 'proxies.create' | 'proxies.update' | 'proxies.delete' | 'proxies.check';

/** The routes that save, change, try and delete proxies. */
export function proxyHandlers(
  proxies: ProxyCommands,
  answering: Answering,
): Pick<Handlers<'write', Caller>, ProxyRoutes> {
  const exists = duringOutage((caller: Caller, { id }: { readonly id: string }) =>
    proxies.find(caller.accountId, id),
  );
  return {
    'proxies.create': {
      run: answering(async ({ caller, body }) => {
        const { record, position } = await proxies.create(caller.accountId, body, caller.context);
        return { body: presentProxy(record), ...at(position) };
      }),
    },
    'proxies.update': onFound({
      exists,
      run: answering(async ({ caller, found, body }) => {
        const { record, position } = await proxies.change(found, body, caller.context);
        return { body: presentProxy(record), ...at(position) };
      }),
    }),
    'proxies.delete': onFound({
      exists,
      run: answering(async ({ caller, found }) => at(await proxies.delete(found, caller.context))),
    }),
    'proxies.check': onFound({
      exists,
      run: answering(async ({ caller, found }) => {
        const { check, position } = await proxies.check(found, caller.context);
        return { body: check, ...at(position) };
      }),
    }),
  };
}
