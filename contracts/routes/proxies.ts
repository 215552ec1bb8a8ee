import { ProxyCheck } from '../events/proxy.ts';
import * as proxy from '../resources/proxy.ts';
import type { Route } from '../route.ts';
import { recordRoutes } from './records.ts';
import { area, idParam, ok } from './rows.ts';

const shared = { tag: 'Account', accountHeader: 'ignored' } as const;
const path = '/v1/account/me/proxies';
const id = '`<uuid>`';
const { write } = area({ ...shared, reads: ['read'], writes: ['write'] });

/** Proxies saved by an account for its sessions. */
export const proxyRoutes = [
  ...recordRoutes({
    ...shared,
    name: 'proxies',
    path,
    one: 'saved proxy',
    many: 'saved proxies',
    id,
    create: proxy.CreateProxy,
    update: proxy.UpdateProxy,
    shown: proxy.Proxy,
  }),
  write(`POST ${path}/{id}/check`, 'proxies.check', {
    summary: 'Test the proxy by sending a request through it',
    params: idParam(id),
    success: ok(ProxyCheck, 'The result of the test.'),
    problems: ['not-found', 'conflict'],
  }),
] as const satisfies readonly Route[];
