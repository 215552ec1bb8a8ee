import type { Observation } from '../../../../../contracts/resources/observation.ts';
import type { Action } from '../../../../../contracts/resources/session.ts';
import type { Hands } from './site-case.ts';

/** Evaluates an observation to one line for each control. */
export const described = ({ elements }: Observation) =>
  elements.map(({ role, name, value, options, states }) =>
    [role, name, ...(value === undefined ? [] : [`=${value}`]), ...(options ?? []), ...(states ?? [])].join(
      ' ',
    ),
  );

/** An agent's action, whose target must match one element better than all others. */
export const strictly = (on: Hands, action: Action, timeoutMs?: number) =>
  on.act(action, { strict: true }, timeoutMs);

/** For pages that set their title to the actions on them. */
export const log = `<script>const log = (word) => { document.title = word; };</script>`;
export const inFrames = {
  '/': `${log}<button>Outer</button><iframe src="/frame" style="width:300px;height:250px"></iframe>
    <script>addEventListener('message', ({ data }) => { if (typeof data === 'string') log(data); });</script>`,
  '/frame': `<script>document.write('<iframe style="width:250px;height:200px" src="' +
    location.origin.replace('127.0.0.1', '127.0.0.2') + '/deep"></iframe>')</script>`,
  '/deep': `<button onclick="top.postMessage('tapped', '*')">Deep</button>
    <input aria-label="Word" onchange="top.postMessage('typed ' + value, '*')">
    <label><input type="checkbox" style="display:none" onchange="top.postMessage('checked', '*')">Agree</label>`,
};
