import type { KubernetesObject } from './rendered.ts';

interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly { readonly key: string; readonly values: readonly string[] }[];
}

interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: object;
}

interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly { readonly port: string | number }[];
}

interface Policy {
  readonly podSelector: Selector;
  readonly policyTypes: readonly string[];
  readonly ingress?: readonly Rule[];
  readonly egress?: readonly Rule[];
}

const component = 'app.kubernetes.io/component';

export const policiesOf = (objects: readonly KubernetesObject[]): readonly Policy[] =>
  objects.filter(({ kind }) => kind === 'NetworkPolicy').map(({ spec }) => spec as unknown as Policy);

/** The components that a selector matches; undefined if it matches all. */
export function componentsOf({ matchLabels, matchExpressions }: Selector): readonly string[] | undefined {
  const one = matchLabels?.[component];
  if (one !== undefined) return [one];
  return matchExpressions?.find(({ key }) => key === component)?.values;
}

/** `caller > called:port` for each pair that the policies of this direction allow. */
export function callsIn(policies: readonly Policy[], side: 'ingress' | 'egress'): readonly string[] {
  const found = policies.flatMap((policy) =>
    (policy[side] ?? []).flatMap(({ from, to, ports = [] }) =>
      (from ?? to ?? []).flatMap(({ podSelector, namespaceSelector }) => {
        if (podSelector === undefined || namespaceSelector !== undefined) return [];
        const [here, there] = [componentsOf(policy.podSelector) ?? [], componentsOf(podSelector) ?? []];
        const [callers, called] = side === 'ingress' ? [there, here] : [here, there];
        return callers.flatMap((caller) =>
          called.flatMap((each) => ports.map(({ port }) => `${caller} > ${each}:${port}`)),
        );
      }),
    ),
  );
  return [...new Set(found)].sort();
}

/** Whether any traffic is allowed to this port of a component. */
export const lets = (policies: readonly Policy[], to: string, port: string): boolean =>
  policies.some(
    ({ podSelector, ingress = [] }) =>
      (componentsOf(podSelector) ?? [to]).includes(to) &&
      ingress.some(({ ports = [] }) => ports.some((each) => each.port === port)),
  );
