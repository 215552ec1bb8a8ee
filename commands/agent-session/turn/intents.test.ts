import { expect } from 'chai';
import { toId } from '../../../contracts/ids.ts';
import type { FilledIntent } from '../../../contracts/resources/agent-turn.ts';
import { isRetryable, operationOf, summaryOf } from './intents.ts';

const captureId = toId('capture', '0197f1a0-0000-7000-8000-000000000001');
const interact = (action: Extract<FilledIntent, { kind: 'interact' }>['action']): FilledIntent => ({
  kind: 'interact',
  action,
});

describe('the operation for an intent', () => {
  const asked: readonly (readonly [FilledIntent, string, object])[] = [
    [{ kind: 'navigate', url: 'http://a.test/' }, 'navigate', { url: 'http://a.test/', wait_until: 'load' }],
    [{ kind: 'capture', capture: 'pdf' }, 'capture', { kind: 'pdf', keep_as: captureId }],
    [
      { kind: 'scroll', direction: 'up', amount: 40 },
      'interact',
      { action: { kind: 'scroll', delta_x: 0, delta_y: -40 } },
    ],
    [
      { kind: 'scroll', direction: 'right' },
      'interact',
      { action: { kind: 'scroll', delta_x: 600, delta_y: 0 } },
    ],
    [{ kind: 'behavioral_pause', duration_ms: 70 }, 'wait', { condition: { kind: 'delay', ms: 70 } }],
    [
      { kind: 'wait', condition: { kind: 'text', text: 'Done' }, timeout_ms: 5 },
      'wait',
      { condition: { kind: 'text', text: 'Done' }, timeout_ms: 5 },
    ],
  ];
  for (const [intent, operation, input] of asked)
    it(`is ${operation} for ${JSON.stringify(intent)}`, () => {
      expect(operationOf(intent, captureId)).to.deep.equal({ operation, input });
    });
});

describe('the summary of an executed intent', () => {
  const done = (summary: string) => ({ kind: 'tap', duration_ms: 1, summary });
  const said: readonly (readonly [FilledIntent, object, string])[] = [
    [interact({ kind: 'tap', text: 'Greet' }), done('Touched the page.'), 'Tapped "Greet".'],
    [
      interact({ kind: 'tap', role: 'button', name: 'Save' }),
      done('Touched the page. The page it led to could not be loaded.'),
      'Tapped the button "Save". The page it led to could not be loaded.',
    ],
    [interact({ kind: 'tap', x: 1, y: 2 }), done('Touched the page.'), 'Touched the page.'],
    [
      interact({ kind: 'type', ref: 'e12', text: 'Ada' }),
      done('Typed 3 characters.'),
      'Typed into element e12.',
    ],
    [
      interact({ kind: 'check', label: 'News', checked: false }),
      done('Unchecked the box.'),
      'Unchecked "News".',
    ],
    [interact({ kind: 'press', key: 'a', modifiers: ['cmd'] }), done('Pressed the key.'), 'Pressed cmd+a.'],
    [
      { kind: 'wait', condition: { kind: 'selector', selector: '#x', state: 'hidden' } },
      { matched: true },
      'Waited for #x to be hidden.',
    ],
    [
      { kind: 'navigate', url: 'http://a.test/' },
      { final_url: 'http://a.test/b', status: null },
      'Opened http://a.test/b.',
    ],
    [
      { kind: 'navigate', url: 'http://a.test/' },
      { final_url: `http://a.test/#${'x'.repeat(60_000)}`, status: 200 },
      `Opened http://a.test/#${'x'.repeat(1_985)} (status 200).`,
    ],
  ];
  for (const [intent, result, summary] of said)
    it(`is: ${summary.slice(0, 100)}`, () => {
      expect(summaryOf(intent, result)).to.equal(summary);
    });
});

describe('whether a failed intent may be retried', () => {
  it('is true if it did nothing, or if doing it twice is harmless', () => {
    expect(isRetryable('interact', 'element_not_found')).to.equal(true);
    expect(isRetryable('wait', 'condition_not_met')).to.equal(true);
    expect(isRetryable('capture', 'capture_failed')).to.equal(true);
  });

  it('is false if it may have taken effect, or would fail again', () => {
    expect(isRetryable('navigate', 'page_load_failed')).to.equal(false);
    expect(isRetryable('interact', 'unknown')).to.equal(false);
    expect(isRetryable('interact', 'condition_not_met')).to.equal(false);
    expect(isRetryable('scroll', 'scroll_failed')).to.equal(false);
    expect(isRetryable('behavioral_pause', 'unknown')).to.equal(false);
    expect(isRetryable('interact', 'session_error')).to.equal(false);
    expect(isRetryable('wait', 'invalid_request')).to.equal(false);
    expect(isRetryable('capture', 'result_too_large')).to.equal(false);
  });
});
