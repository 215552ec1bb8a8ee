import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';
import { dayMs, hourMs } from '../../contracts/durations.ts';

/** A certificate and its private key, as PEM. */
export interface Certified {
  readonly certificate: string;
  readonly key: string;
}

export interface Validity {
  readonly from: Date;
  readonly days: number;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
/** Allows for clocks that are slightly behind. */
const EARLIER_MS = hourMs;

const makeKeys = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);

const validityOf = ({ from, days }: Validity) => ({
  notBefore: new Date(from.getTime() - EARLIER_MS),
  notAfter: new Date(from.getTime() + days * dayMs),
});

const serialNumber = (): string => `01${randomBytes(15).toString('hex')}`;

async function asPem(certificate: x509.X509Certificate, keys: webcrypto.CryptoKeyPair): Promise<Certified> {
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return {
    certificate: `${certificate.toString('pem')}\n`,
    key: `${x509.PemConverter.encode(key, 'PRIVATE KEY')}\n`,
  };
}

/** An authority that only certifies processes of one installation. */
export async function makeAuthority(name: string, validity: Validity): Promise<Certified> {
  const keys = await makeKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...{ name: [{ CN: [name] }], keys, serialNumber: serialNumber(), signingAlgorithm: algorithm },
    ...validityOf(validity),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return asPem(certificate, keys);
}

/** A certificate for the processes of a machine, with these names and addresses. */
export async function certify(
  authority: Certified,
  {
    name,
    hosts,
    validity,
  }: { readonly name: string; readonly hosts: readonly string[]; readonly validity: Validity },
): Promise<Certified> {
  const keys = await makeKeys();
  const issuer = new x509.X509Certificate(authority.certificate);
  const signingKey = await webcrypto.subtle.importKey(
    'pkcs8',
    x509.PemConverter.decodeFirst(authority.key),
    algorithm,
    false,
    ['sign'],
  );
  const { serverAuth, clientAuth } = x509.ExtendedKeyUsage;
  const certificate = await x509.X509CertificateGenerator.create({
    ...{ subject: [{ CN: [name] }], issuer: issuer.subject, publicKey: keys.publicKey },
    ...{ serialNumber: serialNumber(), signingAlgorithm: algorithm, signingKey },
    ...validityOf(validity),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([serverAuth, clientAuth]),
      new x509.SubjectAlternativeNameExtension(
        hosts.map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value })),
      ),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return asPem(certificate, keys);
}
