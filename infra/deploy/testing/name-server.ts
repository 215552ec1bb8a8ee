import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A name server on loopback: every name has this IPv4 address, which clients may keep for ten minutes. */
export async function startNameServer(address: string) {
  const socket = createSocket('udp4');
  const server = { address, port: 0, close: () => socket.close() };
  socket.on('message', (question, { port, address: host }) =>
    socket.send(answerTo(question, server.address), port, host),
  );
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  server.port = socket.address().port;
  return server;
}

/** RFC 1035, 4.1: the header, the question as it came, and one record that refers to its name. */
function answerTo(message: Buffer, address: string): Buffer {
  const header = Buffer.from([...message.subarray(0, 2), 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]);
  const question = message.subarray(12, message.indexOf(0, 12) + 5);
  const [name, typeAndClass, seconds] = [
    [0xc0, 12],
    [0, 1, 0, 1],
    [0, 0, 2, 88],
  ];
  const record = Buffer.from([...name, ...typeAndClass, ...seconds, 0, 4, ...address.split('.').map(Number)]);
  return Buffer.concat([header, question, record]);
}
