import GjsCollector from 'gi://GjsCollector?version=1.0';

/** `JSGC_INCREMENTAL_GC_ENABLED` of the engine's `GCAPI.h`. */
const inSteps = 5;

/**
 * Makes the garbage collector do its work at once, not in steps of 10 ms with other work in between. Between two of its last steps gjs
 * drops every callback that is due, for ever: after an answer or a line that was not delivered, this process would wait for nothing.
 */
export function collectAtOnce() {
  GjsCollector.set_parameter(GjsCollector.engine_of(GjsCollector.current_context()), inSteps, 0);
}
