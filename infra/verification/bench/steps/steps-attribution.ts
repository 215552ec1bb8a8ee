/** The used part of a CPU profile in the format of V8's `Profiler.stop`. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  /** Node ids, one for each sample. */
  readonly samples?: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas?: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

/** A step of a request, and the files that implement it. */
export type Step = readonly [name: string, files: RegExp];

const collector = '(garbage collector)';
export const unattributed = 'Node: sockets, HTTP/1, timers';

/**
 * Microseconds by step. A sample belongs to the step of the innermost file on its stack that is of any step, so that
 * what a step calls in libraries and in Node is counted with it. Idle time is left out.
 */
export function attribute(
  { nodes, samples = [], timeDeltas = [] }: CpuProfile,
  steps: readonly Step[],
): ReadonlyMap<string, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const known = new Map<number, string>();
  const stepAt = (id: number): string => {
    const node = byId.get(id);
    if (node === undefined) return unattributed;
    const step = known.get(id) ?? ownStep(node, steps) ?? stepAt(parents.get(id) ?? Number.NaN);
    known.set(id, step);
    return step;
  };
  const spent = new Map([...steps.map(([name]) => name), 'garbage collection', unattributed].map(none));
  samples.forEach((id, index) => {
    if (byId.get(id)?.callFrame.functionName === '(idle)') return;
    const step = stepAt(id);
    spent.set(step, (spent.get(step) ?? 0) + (timeDeltas[index] ?? 0));
  });
  return spent;
}

const none = (name: string): [string, number] => [name, 0];

const ownStep = ({ callFrame: { functionName, url } }: ProfileNode, steps: readonly Step[]) =>
  functionName === collector ? 'garbage collection' : steps.find(([, files]) => files.test(url))?.[0];
