import { servePages } from '../../../fleet/webkit/testing/pages.ts';
import type { ToolAnswer } from '../../../mcp/testing/connection.ts';
import { tokensOf } from '../../../mcp/tokens.ts';
import { clients } from '../../mcp/clients.ts';
import { percentile } from '../latency.ts';
import { atMost, type Bars, type Bench, type CheckSubject, type Finding } from '../subject.ts';
import { scaled } from '../system/system-scale.ts';
import { onSystem } from '../system/system-stack.ts';
import { webKit } from '../system/system-webkit.ts';

const samples = scaled(60, 5);
const dropped = 5;

const chairs = Array.from(
  { length: 30 },
  (_, n) =>
    `<li><a href="/chair/${n}">Folding chair Lyon ${n}, oak</a> <b>${n + 20}.90 EUR</b>, in stock, at your door in two days
     ${n % 5 === 0 ? '<button>Add to cart</button>' : ''}</li>`,
);
/** A typical shop page: some forty links, buttons and fields, and a few screens of text. */
const shop = `<!doctype html><meta name="viewport" content="width=device-width"><title>Garden chairs - The shop for outdoor furniture</title>
  <nav><a href="/">Home</a> <a href="/garden">Garden</a> <a href="/cart">Cart (<span id="count">0</span>)</a></nav>
  <input type="search" aria-label="Search"> <label>Sort by <select><option>Price<option>Name<option>Newest</select></label>
  <h1>Garden chairs</h1><ul>${chairs.join('')}</ul><p id="said"></p>
  <script>let count = 0; addEventListener('click', ({ target }) => { if (target.tagName !== 'BUTTON') return;
    document.querySelector('#count').textContent = count += 1; said.textContent = 'There are ' + count + ' chairs in your cart.'; });</script>`;

type Call = (name: string, args: object) => Promise<ToolAnswer>;

/** Calls of one tool on that page, over HTTP through the whole service on real WebKit: the largest answer, and the durations. */
const onShop = async (
  bench: Bench,
  bars: Bars,
  callIn: (call: Call, session: string) => Promise<ToolAnswer>,
): Promise<Finding> => {
  const site = await servePages({ '/': shop });
  try {
    return await onSystem(bench, webKit({ waiting: 0 }), async ({ stack: { baseUrl }, apiKey }) => {
      const client = await clients['HTTP, 2026']({ baseUrl, apiKey });
      try {
        const { session } = (await client.call('open_browser', { url: site.url })).structured;
        return await measure(bars, () => callIn(client.call, String(session)));
      } finally {
        await client.close();
      }
    });
  } finally {
    await site.close();
  }
};

async function measure(bars: Bars, call: () => Promise<ToolAnswer>): Promise<Finding> {
  const took: number[] = [];
  const tokens: number[] = [];
  for (let sample = -dropped; sample < samples; sample += 1) {
    const startedAt = performance.now();
    const { isError, text, structured } = await call();
    const milliseconds = performance.now() - startedAt;
    if (isError) throw new Error(text);
    if (sample < 0) continue;
    took.push(milliseconds);
    tokens.push(tokensOf(text) + tokensOf(JSON.stringify(structured)));
  }
  return atMost(bars, Math.max(...tokens), {
    p50_ms: percentile(took, 0.5),
    p99_ms: percentile(took, 0.99),
  });
}

const subject = (
  described: Pick<CheckSubject, 'id' | 'title' | 'bars'>,
  callIn: (call: Call, session: string) => Promise<ToolAnswer>,
): CheckSubject => ({
  ...{ kind: 'check', long: true, unit: 'tokens', ...described },
  check: (bench) => onShop(bench, described.bars, callIn),
});

export const mcpLook = subject(
  { id: 'mcp-look', title: 'a look at a usual page by MCP', bars: { pass: 2000, stretch: 1500 } },
  (call, session) => call('look', { session }),
);

export const mcpAct = subject(
  { id: 'mcp-act', title: 'a tap by MCP, and what has changed', bars: { pass: 500, stretch: 350 } },
  async (call, session) => call('act', { session, actions: [{ kind: 'tap', selector: 'button' }] }),
);
