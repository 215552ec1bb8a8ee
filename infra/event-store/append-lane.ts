import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import { outcomeOf, type AppendOutcome } from './append-outcome.ts';
import type { EncodedEvent } from './encoding.ts';
import { LaneClosed } from './failures.ts';
import type { ExpectedRevision } from './types.ts';
import type { AppendCall } from './wire.ts';

export interface AppendRequest {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly EncodedEvent[];
}

export interface AppendLane {
  /** Settles with the server's answer, or rejects when the call breaks: the outcome is then unknown. */
  send(request: AppendRequest): Promise<AppendOutcome>;
}

interface Waiting {
  readonly stream: string;
  readonly resolve: (outcome: AppendOutcome) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * All appends over one long call, told apart by number. Who waits is kept per call: a call that breaks rejects its own and
 * nobody else's, and an answer nobody waits for any more is dropped.
 */
export function openAppendLane(call: AppendCall, onBroken: () => void): AppendLane {
  const waiting = new Map<string, Waiting>();
  let sent = 0;

  const broken = (reason: Error) => {
    onBroken();
    for (const { reject } of waiting.values()) reject(reason);
    waiting.clear();
  };
  call.on('data', (answer: BatchAppendResp) => {
    const number = numberOf(answer);
    const waiter = waiting.get(number);
    if (waiter === undefined) return;
    waiting.delete(number);
    const outcome = outcomeOf(answer, waiter.stream);
    if (outcome instanceof Error) waiter.reject(outcome);
    else waiter.resolve(outcome);
  });
  call.once('error', broken);
  call.once('end', () => {
    // Our half is still open; left so, the client would wait for it when it closes.
    call.end();
    broken(new LaneClosed());
  });

  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        sent += 1;
        waiting.set(String(sent), { stream: request.stream, resolve, reject });
        call.write(encodeRequest(request, sent));
      }),
  };
}

function encodeRequest({ stream, expected, events }: AppendRequest, number: number): BatchAppendReq {
  const options = new streams.BatchAppendReq.Options().setStreamIdentifier(
    new shared.StreamIdentifier().setStreamName(Buffer.from(stream, 'utf8')),
  );
  // No deadline goes along: it would be a wall-clock time, and the two clocks may differ. We keep our own.
  if (expected === 'any') options.setAny(new empty.Empty());
  else if (expected === 'no_stream') options.setNoStream(new empty.Empty());
  else options.setStreamPosition(expected.toString());
  return new streams.BatchAppendReq()
    .setOptions(options)
    .setCorrelationId(
      new shared.UUID().setStructured(
        new shared.UUID.Structured().setMostSignificantBits('0').setLeastSignificantBits(String(number)),
      ),
    )
    .setProposedMessagesList(events.map(proposed))
    .setIsFinal(true);
}

function proposed({ id, type, data, metadata }: EncodedEvent): BatchAppendReq.ProposedMessage {
  const message = new streams.BatchAppendReq.ProposedMessage()
    .setId(new shared.UUID().setString(id))
    .setData(data)
    .setCustomMetadata(metadata);
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  return message;
}

/** Servers answer with either form of the uuid, whichever they were asked with. */
function numberOf(answer: BatchAppendResp): string {
  const id = answer.getCorrelationId();
  const structured = id?.getStructured();
  if (structured !== undefined) return structured.getLeastSignificantBits();
  return BigInt(`0x${(id?.getString() ?? '0').replaceAll('-', '').slice(-16)}`).toString();
}
