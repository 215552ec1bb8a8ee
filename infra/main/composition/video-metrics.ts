import type { RunningNode } from '../../fleet/node/index.ts';
import type { HandsOptions } from '../../fleet/hands/index.ts';
import type { Metrics } from '../../metrics/index.ts';

type Use = ReturnType<NonNullable<RunningNode['video']>['use']>;

const readings: Readonly<Record<string, readonly [help: string, what: keyof Use]>> = {
  service_video_viewers: ['Participants in the rooms of this node', 'viewers'],
  service_video_encoders: ['Browsers whose window is being shown', 'encoders'],
  service_video_target_bits_per_second: [
    'Bit rate that all encoders of this node aim at together',
    'bitsPerSecond',
  ],
  service_video_units: ['Packets and pictures that encoders made since the start', 'units'],
  service_video_frames: ['Frames that encoders made', 'frames'],
  service_video_bytes: ['Bytes that encoders made', 'bytes'],
  service_video_encoder_cpu_seconds: ['Processor time of encoding', 'processorSeconds'],
};

/** Viewers of video, and its resources. */
export function videoMetrics(metrics: Metrics, { video }: Pick<RunningNode, 'video'>): void {
  if (!video) return;
  for (const [name, [help, what]] of Object.entries(readings))
    metrics.gauge(name, help, () => video.use()[what]);
}

/** Outcome and latency of people's input. */
export function inputMetrics(metrics: Metrics): NonNullable<HandsOptions['onInput']> {
  const events = metrics.counter('service_video_inputs_total', 'Events of people, by outcome', 'outcome');
  const durations = metrics.durations(
    'service_video_input_duration_seconds',
    'Time from the arrival of an event of a person until the browser had it',
  );
  return (reason, ms) => {
    events({ outcome: reason ?? 'done' });
    if (reason === null) durations({}, ms);
  };
}
