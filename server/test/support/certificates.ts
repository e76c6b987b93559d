import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** A certificate for `localhost` and its key in PEM, and what is needed to issue further ones. */
export type Issued = { cert: string; key: string; privateKey: KeyObject; name: string };

/** Issues a certificate for a new key on this curve. Without an issuer, it is signed with its own key. */
export function issueCertificate(name: string, namedCurve = 'P-256', issuer?: Issued): Issued {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve });
  const algorithm = sequence(oid(ecdsaWithSha256));
  const content = sequence(
    tagged(0xa0, integer(2)),
    integer(1),
    algorithm,
    nameOf(issuer?.name ?? name),
    sequence(time(-day), time(day)),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(extension(subjectAltName, localhost), extension(basicConstraints, authority))),
  );
  const signature = sign('sha256', content, issuer?.privateKey ?? privateKey);
  const bytes = sequence(content, algorithm, tagged(0x03, Buffer.from([0]), signature));
  const cert = `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----\n`;
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), privateKey, name };
}

const day = 86_400_000;
const ecdsaWithSha256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
const commonName = [0x55, 0x04, 0x03];
const subjectAltName = [0x55, 0x1d, 0x11];
const basicConstraints = [0x55, 0x1d, 0x13];
const localhost = sequence(tagged(0x82, Buffer.from('localhost')));
const authority = sequence(tagged(0x01, Buffer.from([0xff])));

/** The encoding of certificates (DER): a tag, the length, the content. */
function tagged(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const lengthBytes = length < 128 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, ...parts);
}

function integer(value: number): Buffer {
  return tagged(0x02, Buffer.from([value]));
}

function oid(bytes: number[]): Buffer {
  return tagged(0x06, Buffer.from(bytes));
}

function nameOf(name: string): Buffer {
  return sequence(tagged(0x31, sequence(oid(commonName), tagged(0x0c, Buffer.from(name)))));
}

function time(fromNowMs: number): Buffer {
  const text = new Date(Date.now() + fromNowMs).toISOString().replace(/\.\d+|[-:T]/g, '');
  return tagged(0x17, Buffer.from(text.slice(2)));
}

function extension(id: number[], value: Buffer): Buffer {
  return sequence(oid(id), tagged(0x04, value));
}
