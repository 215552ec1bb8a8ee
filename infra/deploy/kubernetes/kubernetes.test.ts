import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { loadConfig } from '../../config/index.ts';
import { roleNames } from '../../main/roles/table.ts';
import { complaintsAbout } from '../testing/environment.ts';
import { complaintsOfRole } from '../testing/roles.ts';
import { modelOf } from './testing/models.ts';
import { callsIn, componentsOf, lets, policiesOf } from './testing/policies.ts';
import { rendered, workloadsOf, type KubernetesObject, type Workload } from './testing/rendered.ts';

const checkout = fileURLToPath(new URL('../../../', import.meta.url));

/** The calls between components in docs/architecture.md, and the probes of the public status. */
const drawn = [
  ...['gateway > node:fleet', 'gateway > read-api:http', 'gateway > write-api:http'],
  ...['node > write-api:http', 'processes > node:fleet', 'processes > read-api:http'],
  ...[
    'processes > write-api:http',
    'read-api > write-api:http',
    'worker > node:fleet',
    'worker > write-api:http',
    'write-api > node:fleet',
  ],
];

const componentLabel = 'app.kubernetes.io/component';

const overlays = [
  ['small', 'machines'],
  ['small', 'pods'],
  ['ha', 'machines'],
  ['ha', 'pods'],
] as const;

for (const [overlay, browsers] of overlays)
  describe(`what is applied to Kubernetes, overlay ${overlay}, with browsers in ${browsers}`, function () {
    this.timeout(60_000);
    let objects: readonly KubernetesObject[];
    let workloads: readonly Workload[];
    let everywhere: Readonly<Record<string, string>>;
    before(async () => {
      objects = await rendered(overlay, browsers);
      workloads = workloadsOf(objects);
      everywhere = objects.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};
    });
    const rolesHere = roleNames.filter((name) => browsers === 'pods' || name !== 'node');
    const ofRoles = () => workloads.filter(({ kind }) => kind !== 'Job');
    const environmentOf = ({ container: { env = [] } }: Workload) => ({
      ...everywhere,
      ...Object.fromEntries(env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))),
    });

    it('is what the schemas of Kubernetes take', async () => {
      for (const object of objects) {
        const Model = await modelOf(object);
        expect(() => new Model(object).validate(), `${object.kind} ${object.metadata.name}`).not.to.throw();
      }
    });

    it('is refused by them where it is not', async () => {
      const [deployment] = objects.filter(({ kind }) => kind === 'Deployment');
      if (deployment === undefined) throw new Error('There is no deployment.');
      const Model = await modelOf(deployment);
      const wrong = { ...deployment, spec: { ...deployment.spec, replicas: 'two' } };
      expect(() => new Model(wrong).validate()).to.throw();
    });

    it('runs every role, each as the code says', () => {
      expect(ofRoles().map(({ name }) => name)).to.have.members(rolesHere);
      const complaints = ofRoles().flatMap((workload) => {
        const { name, component, container, pod } = workload;
        expect(container.args).to.deep.equal(['role', name]);
        expect(component).to.equal(name);
        return complaintsOfRole({
          role: name,
          environment: environmentOf(workload),
          ports: (container.ports ?? []).map(({ containerPort }) => containerPort),
          graceMs: (pod.terminationGracePeriodSeconds ?? 30) * 1000,
        });
      });
      expect(complaints).to.deep.equal([]);
    });

    it('runs nothing as root, with privileges, or where it can write to its image', () => {
      for (const { pod, container, name } of workloads) {
        expect(pod, name).to.include({ automountServiceAccountToken: false, enableServiceLinks: false });
        expect(pod.securityContext, name).to.deep.include({ runAsNonRoot: true, runAsUser: 10001 });
        expect(pod.securityContext, name).to.have.property('seccompProfile');
        expect(container.securityContext, name).to.deep.include({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      }
    });

    it('bounds what each may take, and asks each role how it is', () => {
      for (const { container } of workloads)
        for (const bound of [container.resources.requests, container.resources.limits])
          expect(bound).to.have.all.keys('cpu', 'memory');
      for (const { name, container } of ofRoles()) {
        const { startupProbe, livenessProbe, readinessProbe } = container;
        const asked = [startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet);
        const scheme = name === 'gateway' ? 'HTTP' : 'HTTPS';
        // A gateway is reached without the APIs too: it has the public status, and serves the side that is left.
        const paths = ['/healthz', '/healthz', name === 'gateway' ? '/healthz' : '/readyz'];
        expect(asked).to.deep.equal(paths.map((path) => ({ path, port: 'http', scheme })));
      }
    });

    it('has no secret in it, and hands on each as a file that is mounted', () => {
      expect(objects.filter(({ kind }) => kind === 'Secret')).to.deep.equal([]);
      for (const workload of workloads) {
        const { container, pod, name } = workload;
        expect(complaintsAbout(environmentOf(workload)), name).to.deep.equal([]);
        const mounted = container.volumeMounts.flatMap(({ name: volume, mountPath }) =>
          pod.volumes.some((each) => each.name === volume && each.secret) ? [mountPath] : [],
        );
        for (const [variable, path] of Object.entries(environmentOf(workload)))
          if (variable.endsWith('_FILE') && variable !== 'AWS_SHARED_CREDENTIALS_FILE')
            expect(mounted.map((directory) => `${directory}/${variable.slice(0, -5)}`)).to.include(path);
      }
    });

    it('lets through what is drawn, on both sides, and nothing else', () => {
      const policies = policiesOf(objects);
      expect(policies).to.deep.include({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
      expect(callsIn(policies, 'ingress')).to.deep.equal(drawn);
      expect(callsIn(policies, 'egress')).to.deep.equal(drawn);
    });

    it('has every port in a policy, and every address on a port', () => {
      const policies = policiesOf(objects);
      for (const { component, container } of ofRoles())
        for (const { name } of container.ports ?? [])
          expect(lets(policies, component, name), `${component}:${name}`).to.equal(true);
      for (const { kind, metadata, spec } of objects) {
        if (kind !== 'Service') continue;
        const { [componentLabel]: component = '' } = spec.selector as Readonly<Record<string, string>>;
        expect(metadata.name.startsWith(component)).to.equal(true);
        const workload = workloads.find((each) => each.component === component);
        for (const { port, targetPort } of spec.ports as { port: number; targetPort: string }[])
          expect(workload?.container.ports).to.deep.include({ name: targetPort, containerPort: port });
      }
    });

    it('is all in one namespace, and scales only what is there', () => {
      for (const { kind, metadata, spec } of objects) {
        if (kind !== 'Namespace') expect(metadata.namespace, metadata.name).to.equal('service');
        if (kind !== 'HorizontalPodAutoscaler') continue;
        const { name } = spec.scaleTargetRef as { readonly name: string };
        expect(ofRoles().map((role) => role.name)).to.include(name);
      }
    });

    it('has the operator’s commands run where all that anything has is, and all stores are reached', () => {
      const document = readFileSync(join(checkout, 'docs/incidents.md'), 'utf8');
      const [, name = ''] = /kubectl -n service exec deploy\/(\S+) -- node /.exec(document) ?? [];
      const filesOf = (workload: Workload) =>
        Object.keys(environmentOf(workload)).filter((variable) => variable.endsWith('_FILE'));
      const handed = new Set(workloads.flatMap(filesOf));
      handed.delete('NODE_JOIN_TOKEN_FILE');
      expect(workloads.filter((each) => each.name === name).map(({ kind }) => kind)).to.deep.equal([
        'Deployment',
      ]);
      expect(workloads.filter((each) => each.name === name).flatMap(filesOf)).to.have.members([...handed]);
      const outside = policiesOf(objects).filter(({ egress = [] }) =>
        egress.some(({ to = [] }) => to.some(({ ipBlock }) => ipBlock !== undefined)),
      );
      expect(outside.length).to.be.at.least(3);
      for (const { podSelector } of outside) expect(componentsOf(podSelector)).to.include(name);
    });

    it('has a node register at write-api, by an address that there is', () => {
      const { container } = workloads.find(({ name }) => name === 'node') ?? {};
      const url = container?.env?.find(({ name }) => name === 'WRITE_URL')?.value ?? '';
      const [, inCluster] = /^https:\/\/([\w-]+)\./.exec(url) ?? [];
      const called = browsers === 'pods' ? inCluster : 'write-api-for-machines';
      const service = objects.find(({ kind, metadata }) => kind === 'Service' && metadata.name === called);
      expect(service?.spec.selector).to.deep.equal({ [componentLabel]: 'write-api' });
      // Its policy names the network of the machines, whose addresses a proxy of the cluster would hide.
      if (browsers === 'machines') expect(service?.spec).to.include({ externalTrafficPolicy: 'Local' });
    });

    it('keeps what nodes and processes are to find again, and has browsers write there', () => {
      for (const name of rolesHere.filter((role) => role === 'node' || role === 'processes')) {
        const { spec } =
          objects.find(({ kind, metadata }) => kind === 'StatefulSet' && metadata.name === name) ?? {};
        const claims = (spec?.volumeClaimTemplates ?? []) as readonly KubernetesObject[];
        expect(
          claims.map(({ metadata }) => metadata.name),
          name,
        ).to.deep.equal(['state']);
        const workload = workloads.find((each) => each.name === name);
        expect(workload?.pod.volumes.map((volume) => volume.name)).not.to.include('state');
        const { mountPath } = workload?.container.volumeMounts.find((mount) => mount.name === 'state') ?? {};
        expect(mountPath).to.equal('/var/lib/service');
      }
      const node = workloads.find((each) => each.name === 'node');
      const written = node?.container.env?.find((variable) => variable.name === 'WEBKIT_RUNTIME_DIR')?.value;
      if (browsers === 'pods') expect(written).to.match(/^\/var\/lib\/service\/./);
    });

    it('loses one of a role at a time', () => {
      const kept = objects.filter(({ kind }) => kind === 'PodDisruptionBudget');
      expect(kept.map(({ metadata }) => metadata.name)).to.have.members(rolesHere);
      for (const { spec } of kept) expect(spec.maxUnavailable).to.equal(1);
    });
  });

describe('what is scaled on Kubernetes', () => {
  it('is scaled by metrics that there are', async () => {
    const scaled = (await rendered('ha', 'pods')).filter(({ kind }) => kind === 'HorizontalPodAutoscaler');
    const names = scaled.flatMap(({ spec }) =>
      [...JSON.stringify(spec).matchAll(/service_[a-z_]+/g)].map(([name]) => name),
    );
    expect(names).to.have.length(2);
    const sources = ['infra/main/roles', 'infra/main/composition'].flatMap((folder) =>
      readdirSync(join(checkout, folder))
        .filter((name) => name.endsWith('.ts'))
        .map((name) => readFileSync(join(checkout, folder, name), 'utf8')),
    );
    for (const name of names)
      expect(
        sources.some((source) => source.includes(`'${name}'`)),
        name,
      ).to.equal(true);
  });

  it('has a worker more for deliveries that none has taken, and not for those that wait for their own endpoint', async () => {
    const worker = (await rendered('ha', 'machines')).find(
      ({ kind, metadata }) => kind === 'HorizontalPodAutoscaler' && metadata.name === 'worker',
    );
    // What waits for a slot of its endpoint, or for its secret, is put back: BullMQ calls it `delayed`.
    const selector = { matchLabels: { queue: 'deliveries', state: 'waiting' } };
    const target = { type: 'AverageValue', averageValue: String(loadConfig({}).WEBHOOK_CONCURRENCY) };
    expect(worker?.spec.metrics).to.deep.equal([
      { type: 'Pods', pods: { metric: { name: 'service_queue_jobs', selector }, target } },
    ]);
  });
});
