import { decimalText, unitsCovering, type Decimal } from './decimal.ts';

/** An amount and the address to pay it to. */
interface Payable extends Decimal {
  readonly address: string;
}

interface Currency {
  /** Exponent of the smallest unit: 8 if it is 10^-8. */
  readonly exponent: number;
  /** The payment URI for wallets, of an amount in the smallest unit; without it, the bare address. */
  readonly uri?: (payable: Payable) => string;
}

/** BIP 21: the scheme, the address, and the amount as a decimal of the whole unit. */
const scheme =
  (name: string, amount = 'amount') =>
  ({ address, units, exponent }: Payable): string =>
    `${address.startsWith(`${name}:`) ? '' : `${name}:`}${address}?${amount}=${decimalText(units, exponent)}`;

/** EIP-681: the amount in wei, and the chain unless it is the main one. */
const native =
  (chain?: number) =>
  ({ address, units }: Payable): string =>
    `ethereum:${address}${chain === undefined ? '' : `@${chain}`}?value=${units}`;

/** EIP-681: a token transfer, by its contract. */
const token =
  (contract: string) =>
  ({ address, units }: Payable): string =>
    `ethereum:${contract}/transfer?address=${address}&uint256=${units}`;

const coin = (name: string): Currency => ({ exponent: 8, uri: scheme(name) });
const bare = (exponent: number): Currency => ({ exponent });

/** By the processor's names. */
const currencies: Readonly<Record<string, Currency>> = {
  btc: coin('bitcoin'),
  ltc: coin('litecoin'),
  doge: coin('dogecoin'),
  bch: coin('bitcoincash'),
  dash: coin('dash'),
  zec: coin('zcash'),
  xmr: { exponent: 12, uri: scheme('monero', 'tx_amount') },
  sol: { exponent: 9, uri: scheme('solana') },
  eth: { exponent: 18, uri: native() },
  matic: { exponent: 18, uri: native(137) },
  maticmainnet: { exponent: 18, uri: native(137) },
  bnbbsc: { exponent: 18, uri: native(56) },
  usdterc20: { exponent: 6, uri: token('0xdAC17F958D2ee523a2206206994597C13D831ec7') },
  usdc: { exponent: 6, uri: token('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48') },
  dai: { exponent: 18, uri: token('0x6B175474E89094C44Da98b954EedeAC495271d0F') },
  usdttrc20: bare(6),
  usdtsol: bare(6),
  usdcsol: bare(6),
  usdcmatic: bare(6),
  usdtmatic: bare(6),
  trx: bare(6),
  xrp: bare(6),
  ada: bare(6),
  atom: bare(6),
  algo: bare(6),
  xlm: bare(7),
  ton: bare(9),
  dot: bare(10),
};

/** Exponent of currencies not in the table: the finest of the common ones. */
const usualExponent = 18;

const currencyNamed = (name: string): Currency | undefined =>
  Object.hasOwn(currencies, name) ? currencies[name] : undefined;

/** The exponent of a currency's smallest unit. An amount of the processor with more decimals has a higher one. */
export const coinExponent = (currency: string): number => currencyNamed(currency)?.exponent ?? usualExponent;

/**
 * The amount that a wallet can send for an amount of the processor: in the currency's smallest unit, rounded up, because less than
 * what is asked pays an order in part.
 */
export function sendable(currency: string, amount: Decimal): Decimal {
  const exponent = coinExponent(currency);
  return { units: unitsCovering(amount, exponent), exponent };
}

/** The payment URI for wallets, with the amount as they can send it; the address alone for currencies without a URI scheme. */
export const paymentUri = (currency: string, { address, ...amount }: Payable): string =>
  currencyNamed(currency)?.uri?.({ address, ...sendable(currency, amount) }) ?? address;
