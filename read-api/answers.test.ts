import { expect } from 'chai';
import { routes, type Route } from '../contracts/routes/index.ts';
import { idKindOf, namesId, targetOf } from '../infra/verification/security/attacks.ts';
import {
  createSubject,
  isMade,
  subjectKinds,
  type MadeKind,
} from '../infra/verification/security/subjects.ts';
import { startWholeService, type WholeService } from '../infra/verification/security/whole-service.ts';
import { aPerson, type Person } from '../write-api/testing/team.ts';

/** The detail route of the kind. */
const detailOf = (kind: MadeKind): Route | undefined =>
  (routes as readonly Route[]).find(
    (route) =>
      route.id.endsWith('.get') &&
      'as_of' in (route.query ?? {}) &&
      namesId(route) &&
      idKindOf(route) === kind,
  );

describe('the answer that makes a resource', () => {
  let service: WholeService;
  let owner: Person;
  before(async () => {
    service = await startWholeService();
    owner = await aPerson(service, { tier: 'enterprise' });
  });
  after(() => service.close());

  for (const kind of subjectKinds.filter(isMade)) {
    const detail = detailOf(kind);
    if (detail === undefined) continue;
    it(`is what ${detail.id} has at its position, of ${kind}`, async () => {
      const made = await createSubject(service, owner, kind);
      expect(made.status, made.text).to.equal(201);
      const target = targetOf(detail, String(made.json.id));
      const asOf = encodeURIComponent(String(made.headers['x-service-position']));
      const { status, json, text } = await service.call(`${target}?as_of=${asOf}`, { token: owner.token });
      expect(status, text).to.equal(200);
      // Secrets are shown once, only in the answer.
      expect(made.json).to.deep.include(json);
    });
  }
});
