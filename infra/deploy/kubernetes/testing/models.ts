import type { KubernetesObject } from './rendered.ts';

interface Model {
  validate(): void;
}

/** The class with the schema of a kind. */
export async function modelOf({ apiVersion, kind }: KubernetesObject): Promise<new (data: object) => Model> {
  const module = (await import(`kubernetes-models/${apiVersion}/${kind}`)) as Record<string, unknown>;
  return module[kind] as new (data: object) => Model;
}
