import { ProxyCheck } from '../events/proxy.ts';
import * as proxy from '../resources/proxy.ts';
import type { Route } from '../route.ts';
import { Type } from '../schema.ts';
import { writesOf } from './defaults.ts';
import { recordRoutes } from './records.ts';

/** Proxies that an account has saved for its sessions to go out through. */
export const proxyRoutes = [
  ...recordRoutes({
    name: 'proxies',
    path: '/v1/account/me/proxies',
    tag: 'Account',
    one: 'saved proxy',
    many: 'saved proxies',
    id: '`<uuid>`',
    accountHeader: 'ignored',
    create: proxy.CreateProxy,
    update: proxy.UpdateProxy,
    shown: proxy.Proxy,
  }),
  {
    ...writesOf('Account', ['write']),
    accountHeader: 'ignored',
    id: 'proxies.check',
    method: 'POST',
    path: '/v1/account/me/proxies/{id}/check',
    summary: 'Try the proxy now: whether a request gets through it, and if not, why',
    params: { id: Type.String({ description: '`<uuid>`' }) },
    success: { status: 200, body: ProxyCheck, description: 'What came of it.' },
    problems: ['not-found', 'conflict'],
  },
] as const satisfies readonly Route[];
