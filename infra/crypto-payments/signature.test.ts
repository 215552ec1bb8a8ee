import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { readCallback } from './callback.ts';

const secret = 'a secret';
const hmac = (text: string) => createHmac('sha512', secret).update(text).digest('hex');
const orderId = 'ord_0197f1a0-0000-7000-8000-000000000001';
const sent = `{"payment_status":"finished","payment_id":5077125051,"order_id":"${orderId}","fee":{"withdrawalFee":0,"depositFee":0.00000001},"price_amount":3999.50}`;
const asSent = `{"fee":{"depositFee":0.00000001,"withdrawalFee":0},"order_id":"${orderId}","payment_id":5077125051,"payment_status":"finished","price_amount":3999.50}`;
const again = `{"fee":{"depositFee":1e-8,"withdrawalFee":0},"order_id":"${orderId}","payment_id":5077125051,"payment_status":"finished","price_amount":3999.5}`;
const read = (text: string, signature: string) => readCallback(Buffer.from(text), signature, secret);

describe('the signature of a callback', () => {
  it('is right over the sorted JSON, with its numbers as they were sent or as JavaScript writes them', () => {
    const callback = { paymentId: '5077125051', orderId, status: 'finished' };
    expect(read(sent, hmac(asSent))).to.deep.equal(callback);
    expect(read(sent, hmac(again))).to.deep.equal(callback);
    expect(read(sent, hmac(asSent).toUpperCase())).to.deep.equal(callback);
  });

  it('is wrong over anything else', () => {
    const emptied = asSent.replace(/"fee":\{[^}]*\}/, '"fee":{}');
    for (const signature of ['', 'x', hmac(sent), hmac(emptied), hmac(''), hmac(asSent).slice(1)])
      expect(read(sent, signature)).to.equal(undefined);
    expect(read(sent.replace('3999.50', '1'), hmac(asSent))).to.equal(undefined);
  });

  it('is looked at before the body, which is not read where there can be none', () => {
    const bytes = Buffer.from(sent);
    let reads = 0;
    bytes.toString = () => {
      reads += 1;
      return sent;
    };
    for (const signature of ['', 'x', 'g'.repeat(128), hmac(asSent).slice(1), `${hmac(asSent)}0`])
      expect(readCallback(bytes, signature, secret)).to.equal(undefined);
    expect(reads).to.equal(0);
    expect(readCallback(bytes, hmac(asSent), secret)).to.include({ status: 'finished' });
    expect(reads).to.equal(1);
  });

  it('does not make a callback of what names no payment', () => {
    expect(read('{}', hmac('{}'))).to.equal(undefined);
    expect(read('[]', hmac('[]'))).to.equal(undefined);
  });

  it('leaves out an order that is none of ours', () => {
    const text = '{"order_id":"another shop","payment_id":"7"}';
    expect(read(text, hmac(text))).to.deep.equal({ paymentId: '7', orderId: null, status: 'unknown' });
  });
});
