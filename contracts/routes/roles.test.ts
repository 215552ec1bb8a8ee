import { expect } from 'chai';
import { routes, type Route } from './index.ts';

const honored = (routes as readonly Route[]).filter(({ accountHeader }) => accountHeader === 'honored');

describe("a member's role on an owner's account", () => {
  it('reads persisted sessions, profiles, the audit log, usage and the organization, and nothing else', () => {
    const opened = honored
      .filter(({ role }) => role === 'member')
      .map(({ method, path }) => `${method} ${path}`);
    expect(opened).to.have.members([
      'GET /v1/sessions',
      'GET /v1/sessions/{id}',
      'GET /v1/sessions/{id}/history',
      'GET /v1/account/audit-log',
      'GET /v1/account/audit-log/export',
      'GET /v1/account/audit-log/{sequence}/proof',
      'GET /v1/account/audit-log/consistency',
      'GET /v1/account/audit-log/checkpoint',
      'GET /v1/usage',
      'GET /v1/usage/series',
      'GET /v1/account/usage',
      'GET /v1/account/usage/series',
      'GET /v1/profiles',
      'GET /v1/profiles/trash',
      'GET /v1/profiles/{id}',
      'GET /v1/profiles/{id}/history',
      'GET /v1/profiles/{id}/snapshots',
      'GET /v1/profile-snapshots',
      'GET /v1/profile-snapshots/{id}',
      'GET /v1/profile-snapshots/{id}/history',
      'GET /v1/account/me/organization',
      'GET /v1/account/me/organization/history',
    ]);
  });
});
