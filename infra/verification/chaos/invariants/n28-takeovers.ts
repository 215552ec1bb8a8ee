import { roomSilenceMs } from '../../../../contracts/fleet/room.ts';
import { grouped, type Evidence } from '../evidence/index.ts';
import type { AskedTakeover } from '../world/live.ts';
import type { Invariant, Violation } from './invariant.ts';
import { roomsOf, type Room } from './reigns.ts';

export const controlIsHeldByOne: Invariant = {
  id: 'N28',
  holds:
    'A takeover that was acknowledged in a room is in the log; each change of control begins the next epoch; an epoch has one holder of the controls at most, and participants are told of no other.',
  judged: 'the answers and the messages in the rooms against the raw streams of agent sessions',
  violations: (evidence) => {
    const rooms = roomsOf(evidence);
    return [
      ...[...rooms.values()].flatMap(doubled),
      ...evidence.live.takeovers.flatMap((takeover) => lost(evidence, rooms.get(takeover.room), takeover)),
      ...misled(evidence, rooms),
    ];
  },
};

const doubled = ({ stream, reigns }: Room): Violation[] =>
  reigns.flatMap(({ epoch, holders }, index) => [
    ...(new Set(holders).size > 1
      ? [{ what: `epoch ${epoch} has the holders ${holders.join(' and ')}`, stream }]
      : []),
    ...(epoch === index + 1 ? [] : [{ what: `epoch ${epoch} is the ${index + 1}th`, stream }]),
  ]);

/** In manual mode there is nothing to take over, and the request is acknowledged. */
function lost(evidence: Evidence, room: Room | undefined, takeover: AskedTakeover): Violation[] {
  const { clientId, sentAt, answer, answeredAt = Infinity } = takeover;
  if (answer !== 'ok' || room?.asked.has(clientId) === true) return [];
  const faults = evidence.faults.reduce(
    (sum, { from, to }) => sum + (to > sentAt - 30_000 ? to - from : 0),
    0,
  );
  const since = sentAt - roomSilenceMs - faults;
  const isManual = room?.reigns.some(
    ({ mode, from, to }) => mode === 'manual' && from <= answeredAt && to >= since,
  );
  if (isManual === true) return [];
  return [
    {
      what: `the acknowledged takeover of ${clientId} is not in the log`,
      ...(room && { stream: room.stream }),
    },
  ];
}

function misled({ live }: Evidence, rooms: ReadonlyMap<string, Room>): Violation[] {
  const told = grouped(live.holders, ({ room, epoch }) => `${room} ${epoch}`);
  return [...told.values()].flatMap((same) =>
    same.flatMap(({ room, epoch, clientId }) => {
      const { reigns = [], stream } = rooms.get(room) ?? {};
      const holders = reigns.find((reign) => reign.epoch === epoch)?.holders ?? [];
      if (same.length === 1 && holders.includes(clientId)) return [];
      const what = `participants were told that ${clientId} drives in epoch ${epoch}, which had ${holders.join() || 'nobody'}`;
      return [{ what, ...(stream !== undefined && { stream }) }];
    }),
  );
}
