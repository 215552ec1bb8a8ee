import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';

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

/** The objects of an overlay. */
export async function rendered(overlay: string): Promise<readonly KubernetesObject[]> {
  const directory = join(import.meta.dirname, '..', 'overlays', overlay);
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
