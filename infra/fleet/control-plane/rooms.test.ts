import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type ClientRequest, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect } from 'chai';
import express, { type Request } from 'express';
import { toId } from '../../../contracts/ids.ts';
import { stateOf } from '../hands/testing/room.ts';
import { followRoom, type Rooms } from './rooms.ts';

describe('a room that a node follows', () => {
  let server: Server;
  /** The end of the call's handler. */
  let ended: Promise<void>;
  let watches: ('begun' | 'ended')[];
  let onLook: () => Promise<void>;
  beforeEach(async () => {
    watches = [];
    onLook = () => Promise.resolve();
    const rooms: Rooms = {
      look: () => onLook().then(() => stateOf()),
      ask: () => Promise.resolve(undefined),
      watch: () => {
        watches.push('begun');
        return () => void watches.push('ended');
      },
    };
    const follow = followRoom(rooms);
    const app = express().get('/:id', (request: Request<{ id: string }>, reply) => {
      ended = follow(toId('node', randomUUID()), request, reply);
      return ended;
    });
    server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  const followed = (): ClientRequest => {
    const { port } = server.address() as AddressInfo;
    return get(`http://127.0.0.1:${port}/${toId('agentSession', randomUUID())}`).on('error', () => undefined);
  };

  it('is watched until the node disconnects', async () => {
    const call = followed();
    await once(call, 'response');
    call.destroy();
    await ended;
    expect(watches).to.deep.equal(['begun', 'ended']);
  });

  it('is not watched for a node that disconnects before the room is read', async () => {
    const connected = once(server, 'connection') as Promise<[Socket]>;
    const gone = new Promise<void>((resolve) => {
      onLook = async () => {
        const [socket] = await connected;
        const closed = once(socket, 'close');
        call.destroy();
        await closed;
        resolve();
      };
    });
    const call = followed();
    await gone;
    await ended;
    expect(watches).to.deep.equal([]);
  });
});
