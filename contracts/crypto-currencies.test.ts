import { expect } from 'chai';
import { coinExponent, paymentUri } from './crypto-currencies.ts';

const uri = (currency: string, address: string, units: bigint) =>
  paymentUri(currency, { address, units, exponent: coinExponent(currency) });

describe('the URI of a payment', () => {
  it('has the form that wallets of the currency open', () => {
    expect(uri('btc', 'bc1q', 81_667n)).to.equal('bitcoin:bc1q?amount=0.00081667');
    expect(uri('bch', 'bitcoincash:qq', 100_000_000n)).to.equal('bitcoincash:qq?amount=1');
    expect(uri('xmr', '44', 1n)).to.equal('monero:44?tx_amount=0.000000000001');
    expect(uri('eth', '0xab', 10n ** 18n)).to.equal('ethereum:0xab?value=1000000000000000000');
    expect(uri('bnbbsc', '0xab', 5n)).to.equal('ethereum:0xab@56?value=5');
    expect(uri('usdterc20', '0xab', 49_000_000n)).to.equal(
      'ethereum:0xdAC17F958D2ee523a2206206994597C13D831ec7/transfer?address=0xab&uint256=49000000',
    );
  });

  it('asks for an amount finer than the smallest unit in that unit, rounded up', () => {
    const asks = (currency: string, units: bigint, exponent: number) =>
      paymentUri(currency, { address: 'a', units, exponent }).split(/amount=|uint256=|value=/)[1];
    expect(asks('usdterc20', 4_900_000_000n, 8)).to.equal('49000000');
    expect(asks('usdterc20', 4_900_000_001n, 8)).to.equal('49000001');
    expect(asks('eth', 163n, 20)).to.equal('2');
    expect(asks('btc', 10_000_001n, 10)).to.equal('0.00100001');
    expect(asks('xmr', 1n, 15)).to.equal('0.000000000001');
    expect(asks('usdterc20', 49n, 0)).to.equal('49000000');
    expect(asks('btc', 0n, 10)).to.equal('0');
  });

  it('is the address alone if the currency has no such form, or is unknown', () => {
    expect(uri('usdttrc20', 'T1', 49_000_000n)).to.equal('T1');
    expect(uri('constructor', 'c1', 1n)).to.equal('c1');
    expect(coinExponent('unheard')).to.equal(18);
  });
});
