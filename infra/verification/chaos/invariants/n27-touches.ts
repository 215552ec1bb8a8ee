import { roomSilenceMs } from '../../../../contracts/fleet/room.ts';
import { grouped, type DriverLine, type Evidence } from '../evidence/index.ts';
import { numberAt, type SentTouch } from '../world/live.ts';
import type { Invariant, Violation } from './invariant.ts';
import { roomsOf, type Room } from './reigns.ts';

export const touchesAreOfTheirEpoch: Invariant = {
  id: 'N27',
  holds:
    'A touch reaches a browser once at most, of its own agent session, under the epoch that it was sent under, from who may touch then; never after one of a later epoch. One that is acknowledged has reached it, and one that is refused has not.',
  judged:
    'the driver’s log, in which the place of each touch tells its sender and its epoch, against the raw streams of agent sessions and the answers in the rooms',
  violations: (evidence) => {
    const rooms = roomsOf(evidence);
    const delivered = evidence.driver.filter(({ action, type }) => action === 'touch' && type === 'down');
    const byNumber = grouped(delivered, numberOf);
    return [
      ...[...byNumber].flatMap(([number, lines]) => strayed(evidence, rooms, number, lines)),
      ...evidence.live.touches.flatMap((touch) => misreported(touch, byNumber.has(String(touch.number)))),
      ...disordered(evidence, delivered),
    ];
  },
};

const numberOf = ({ x = -1, y = -1 }: DriverLine): string => String(numberAt(x, y));

function strayed(
  evidence: Evidence,
  rooms: ReadonlyMap<string, Room>,
  number: string,
  lines: readonly DriverLine[],
): Violation[] {
  const touch = evidence.live.touches[Number(number)];
  if (touch === undefined) return [{ what: `a browser was touched where nobody touched: ${number}` }];
  const room = rooms.get(touch.room);
  if (room === undefined)
    return [{ what: `a touch was delivered in ${touch.room}, which is not in the log` }];
  const [line] = lines;
  const about = `touch ${number}, sent under epoch ${touch.epoch} by ${String(touch.clientId)},`;
  return [
    ...(lines.length > 1 ? [`reached a browser ${lines.length} times`] : []),
    ...(line !== undefined && !room.browsers.has(line.session_id)
      ? [`reached ${line.session_id}, which is not of its agent session`]
      : []),
    ...forbidden(evidence, room, touch),
  ].map((what) => ({ what: `${about} ${what}`, stream: room.stream }));
}

/** Milliseconds for scheduling on a busy machine. */
const SLACK_MS = 2_000;

/** Reasons why a touch that was delivered must not have been. */
function forbidden(evidence: Evidence, { reigns }: Room, touch: SentTouch): string[] {
  const reign = reigns.find(({ epoch }) => epoch === touch.epoch);
  if (reign === undefined) return ['was delivered under an epoch that never was'];
  const { mode, holders, to } = reign;
  const known = to + roomSilenceMs + SLACK_MS + heldUp(evidence, to, touch.sentAt);
  return [
    ...(touch.right === 'watch' ? ['was delivered from who may only watch'] : []),
    ...(mode === 'ai' ? ['was delivered in the mode ai'] : []),
    ...(mode === 'pair' && !holders.includes(touch.clientId ?? '')
      ? ['was delivered while its sender had no controls']
      : []),
    ...(touch.sentAt > known ? [`was delivered, sent ${touch.sentAt - to} ms after its epoch`] : []),
  ];
}

/** Milliseconds of faults in this time: a message that the network holds back may arrive that much later. */
const heldUp = ({ faults }: Evidence, from: number, to: number): number =>
  faults.reduce((sum, fault) => sum + Math.max(0, Math.min(fault.to, to) - Math.max(fault.from, from)), 0);

/** A touch whose answer is `failed` may have reached the browser. */
function misreported({ number, room, answer }: SentTouch, isDelivered: boolean): Violation[] {
  const stream = `agent_session-${room.slice('agt_'.length)}`;
  if (answer === 'ok' && !isDelivered)
    return [{ what: `touch ${number} was acknowledged and reached no browser`, stream }];
  if (answer === undefined || answer === 'ok' || answer === 'failed' || !isDelivered) return [];
  return [{ what: `touch ${number} was refused (${answer}) and reached a browser`, stream }];
}

function disordered({ live }: Evidence, delivered: readonly DriverLine[]): Violation[] {
  return [...grouped(delivered, ({ session_id }) => session_id)].flatMap(([session, lines]) => {
    const epochs = lines.map((line) => live.touches[Number(numberOf(line))]?.epoch ?? 0);
    return epochs.flatMap((epoch, index) => {
      const before = epochs[index - 1] ?? 0;
      return epoch < before ? [{ what: `${session} was touched under epoch ${epoch} after ${before}` }] : [];
    });
  });
}
