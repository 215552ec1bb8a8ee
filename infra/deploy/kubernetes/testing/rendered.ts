import { execFile } from 'node:child_process';
import { cp, readFile, realpath, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { tempDir } from '../../../verification/testbed/index.ts';

export interface Entry {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: object;
}

export interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string; readonly scheme: string };
}

export interface Container {
  readonly args: readonly string[];
  readonly image: string;
  readonly env?: readonly Entry[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly resources: {
    readonly requests: Readonly<Record<string, string>>;
    readonly limits: Readonly<Record<string, string>>;
  };
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

interface Volume {
  readonly name: string;
  readonly secret?: { readonly secretName: string };
}

export interface PodSpec {
  readonly automountServiceAccountToken: boolean;
  readonly enableServiceLinks: boolean;
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly terminationGracePeriodSeconds?: number;
  readonly containers: readonly Container[];
  readonly volumes: readonly Volume[];
}

export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: Readonly<Record<string, unknown>>;
}

export interface Workload {
  readonly name: string;
  readonly kind: string;
  readonly component: string;
  readonly pod: PodSpec;
  readonly container: Container;
}

const root = join(import.meta.dirname, '..');

/** The objects of an overlay, with browsers on machines, as it is, or in pods: without its line of components. */
export async function rendered(
  overlay: string,
  browsers: 'machines' | 'pods',
): Promise<readonly KubernetesObject[]> {
  if (browsers === 'machines') return objectsIn(join(root, 'overlays', overlay));
  return renderedWith(overlay, (text) => text.replace(/^components:.*/m, ''));
}

/** The objects of an overlay that an operator has copied, with this change to its `kustomization.yaml`. */
export async function renderedWith(
  overlay: string,
  change: (text: string) => string,
): Promise<readonly KubernetesObject[]> {
  const directory = tempDir('kustomize');
  await cp(join(root, 'overlays', overlay), directory, { recursive: true });
  const file = join(directory, 'kustomization.yaml');
  const text = change(await readFile(file, 'utf8'));
  await writeFile(file, text.replaceAll('../..', relative(await realpath(directory), root)));
  return objectsIn(directory);
}

async function objectsIn(directory: string): Promise<readonly KubernetesObject[]> {
  const { stdout } = await promisify(execFile)('kubectl', ['kustomize', directory]);
  return parseAllDocuments(stdout).map((document) => document.toJS() as KubernetesObject);
}

const running = ['Deployment', 'StatefulSet', 'Job'];

interface Template {
  readonly template: {
    readonly metadata: { readonly labels: Readonly<Record<string, string>> };
    readonly spec: PodSpec;
  };
}

/** All objects that run pods. Each has one container. */
export const workloadsOf = (objects: readonly KubernetesObject[]): readonly Workload[] =>
  objects
    .filter(({ kind }) => running.includes(kind))
    .map(({ kind, metadata: { name }, spec }) => {
      const { template } = spec as unknown as Template;
      const [container, ...others] = template.spec.containers;
      if (container === undefined || others.length > 0) throw new Error(`${name} has not one container.`);
      const component = template.metadata.labels['app.kubernetes.io/component'] ?? '';
      return { name, kind, component, pod: template.spec, container };
    });
