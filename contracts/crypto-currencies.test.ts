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

  it('is the address alone if the currency has no such form, or is unknown', () => {
    expect(uri('usdttrc20', 'T1', 49_000_000n)).to.equal('T1');
    expect(uri('constructor', 'c1', 1n)).to.equal('c1');
    expect(coinExponent('unheard')).to.equal(18);
  });
});
