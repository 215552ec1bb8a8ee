import { expect } from 'chai';
import { blocksOf } from '../../verification/stack/restoring.ts';
import { modelOf } from './testing/models.ts';
import { componentsOf, policiesOf } from './testing/policies.ts';
import { renderedWith, workloadsOf, type Workload } from './testing/rendered.ts';

describe('what is added on Kubernetes', function () {
  this.timeout(60_000);

  it('has each secret, as documented, as a file that every process with the keys has', async () => {
    const [, block = ''] = blocksOf('Address, mail and the rest', 'yaml');
    const workloads = workloadsOf(await renderedWith('small', (text) => `${text}\n${block}`));
    const volumeOf = ({ pod }: Workload, secret: string) =>
      pod.volumes.find((volume) => volume.secret?.secretName === secret);
    for (const workload of workloads.filter(({ kind }) => kind !== 'Job')) {
      const { name, container } = workload;
      const keys = volumeOf(workload, 'service-keys');
      const added = volumeOf(workload, 'service-providers');
      expect(added?.secret, name).to.deep.equal(keys && { ...keys.secret, secretName: 'service-providers' });
      const { mountPath } = container.volumeMounts.find((mount) => mount.name === added?.name) ?? {};
      const told = (container.env ?? []).flatMap(({ name: variable, value }) =>
        variable === 'SMTP_URL_FILE' ? [value] : [],
      );
      expect(told, name).to.deep.equal(added ? [`${mountPath}/SMTP_URL`] : []);
    }
  });

  it('lets workers reach a private mail server, and every process a collector of traces', async () => {
    const objects = await renderedWith('small', (text) =>
      text.replace('[../../components/', '[../../components/private-services, ../../components/'),
    );
    const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy');
    for (const object of policies) {
      const Model = await modelOf(object);
      expect(() => new Model(object).validate(), object.metadata.name).not.to.throw();
    }
    const out = Object.fromEntries(
      ['mail-server', 'collector'].map((name) => {
        const named = policies.filter(({ metadata }) => metadata.name === name);
        const [{ podSelector, egress = [] } = { podSelector: {} }] = policiesOf(named);
        const ports = egress.flatMap((rule) => (rule.ports ?? []).map(({ port }) => port));
        return [name, { from: componentsOf(podSelector), ports }];
      }),
    );
    expect(out).to.deep.equal({
      'mail-server': { from: ['worker'], ports: [25, 465, 587] },
      collector: { from: undefined, ports: [4318] },
    });
  });
});
