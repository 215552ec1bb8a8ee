import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers every request as the service answers the read of a session, with a constant. */
const at = '2026-01-05T12:00:00.000Z';
const id = '0197f1a0-0000-7000-8000-000000000001';
const body = JSON.stringify({
  ...{
    id: `ses_${id}`,
    account_id: `acc_${id}`,
    archetype: 'iphone-15-pro',
    status: 'ready',
    label: 'bench',
    metadata: {},
  },
  ...{
    profile_id: null,
    created_at: at,
    updated_at: at,
    ready_at: at,
    destroyed_at: null,
    ended_reason: null,
  },
});
const headers = {
  'Content-Type': 'application/json',
  'X-Request-Id': `req_${id}`,
  'X-Service-Position': '123456/123456',
  'RateLimit-Policy': '"default:read";q=600',
  RateLimit: '"default:read";r=599;t=1',
};

const server = createServer((_request, response) => response.writeHead(200, headers).end(body));
server.listen(0, '127.0.0.1', () => {
  process.send?.({ ports: { answering: (server.address() as AddressInfo).port } });
});
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit());
