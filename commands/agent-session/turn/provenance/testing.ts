import type { Intent } from '../../../../contracts/resources/agent-turn.ts';
import type { Observation, ObservedElement } from '../../../../contracts/resources/observation.ts';
import { keyedDigest } from '../../../../infra/keys/index.ts';
import { Provenance } from './index.ts';
import type { Approvals, KeyedDigests } from './held.ts';
import type { Remembered } from './remembered.ts';

export const digests: KeyedDigests = (text) => [keyedDigest(text, 'a pepper')];

export const someday = new Date('2026-11-26T09:00:00Z');

export const pageOf = (url: string, text: string, more: Partial<Observation> = {}): Observation => ({
  ...{ url, title: '', scroll: { y: 0, height: 844, view: 844 } },
  ...{ elements: [], headings: [], text, cut: false, dialog: null, ...more },
});

export const element = (ref: string, role: string, name: string): ObservedElement => ({
  ...{ ref, role, name, in_view: true },
});

export const open = (url: string): Intent => ({ kind: 'navigate', url });
export const interact = (action: Extract<Intent, { kind: 'interact' }>['action']): Intent => ({
  kind: 'interact',
  action,
});
export const type = (text: string): Intent => interact({ kind: 'type', label: 'Field', text });
export const press = (key: string, ...modifiers: ('cmd' | 'ctrl' | 'shift')[]): Intent =>
  interact({ kind: 'press', key, modifiers });
export const choose = (...values: string[]): Intent => interact({ kind: 'select', label: 'List', values });
export const tap = (ref: string): Intent => interact({ kind: 'tap', ref });
export const upload = (name: string, content: string | Buffer): Intent =>
  interact({
    kind: 'upload',
    label: 'File',
    files: [{ name, data_base64: Buffer.from(content).toString('base64') }],
  });

interface Story {
  readonly before?: readonly Remembered[];
  readonly approvals?: Approvals;
  readonly pages?: readonly Observation[];
}

/** A turn in which these pages were seen in order. */
export function turnOf(message: string, { before = [], approvals = [], pages = [] }: Story = {}): Provenance {
  const provenance = new Provenance(message, digests, { approvals });
  provenance.begin(before, someday);
  for (const page of pages) provenance.see(page);
  return provenance;
}

export const heldOf = (provenance: Provenance, ...intents: Intent[]) =>
  provenance.judge({ decision: 'plan', intents, readBack: false }).held;

/** Whether an intent may be carried out on a site: not held, and not limited to others. */
export function mayGo(provenance: Provenance, intent: Intent, site: string): boolean {
  if (heldOf(provenance, intent).length > 0) return false;
  return provenance.limitOf(intent)?.includes(site) ?? true;
}
