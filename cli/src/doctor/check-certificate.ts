import { isIP } from 'node:net';
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls';
import { plain } from '../terminal/text.ts';
import { failure, type Finding, ok, skipped, warning } from './finding.ts';

const timeoutMs = 10_000;
const warnDays = 14;

/** Whether clients trust the certificate of an https address, and for how long. */
export async function checkCertificate(url: string, now: Date): Promise<Finding[]> {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'https:') return [];
  const host = hostname.replace(/^\[|\]$/g, '');
  const found = await readCertificate(host, Number(port) || 443).catch(() => undefined);
  if (found === undefined) return [skipped('certificate', 'the certificate could not be read')];
  return [judgeCertificate(found, host, now)];
}

type Found = { certificate: PeerCertificate; problem: string | undefined };

/** Also reads certificates that are not trusted. Nothing is sent over this connection. */
function readCertificate(host: string, port: number): Promise<Found> {
  return new Promise((resolve, reject) => {
    const servername = isIP(host) ? {} : { servername: host };
    const socket: TLSSocket = connect(
      { host, port, ...servername, timeout: timeoutMs, rejectUnauthorized: false },
      () => {
        // Node sets the code of the error here, although its types say that it is an Error.
        const reason = socket.authorizationError as unknown;
        const code = (reason as { code?: string } | null)?.code ?? reason;
        resolve({ certificate: socket.getPeerCertificate(), problem: reason ? String(code) : undefined });
        socket.destroy();
      },
    );
    socket.once('error', reject);
    socket.once('timeout', () => socket.destroy(new Error('timeout')));
  });
}

function judgeCertificate({ certificate, problem }: Found, host: string, now: Date): Finding {
  const days = Math.floor((Date.parse(certificate.valid_to) - now.getTime()) / 86_400_000);
  if (days < 0 || problem === 'CERT_HAS_EXPIRED') {
    return failure('certificate', `the certificate expired on ${day(certificate.valid_to)}`, 'Renew the certificate.');
  }
  if (Date.parse(certificate.valid_from) > now.getTime() || problem === 'CERT_NOT_YET_VALID') {
    const message = `the certificate is valid only from ${day(certificate.valid_from)}`;
    return failure('certificate', message, 'Check the clocks of the server and of this computer.');
  }
  if (problem === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const names = plain(certificate.subjectaltname ?? String(certificate.subject.CN ?? 'no name'));
    const remedy = 'Use one of these names, or get a certificate that includes this one.';
    return failure('certificate', `the certificate is not for ${plain(host)}, but for ${names}`, remedy);
  }
  if (problem !== undefined) return judgeIssuer(problem);
  const message = `the certificate is valid for ${days} more ${days === 1 ? 'day' : 'days'}`;
  if (days >= warnDays) return ok('certificate', message);
  return warning('certificate', message, 'Renew the certificate, and check why it is not renewed automatically.');
}

function judgeIssuer(problem: string): Finding {
  if (problem === 'DEPTH_ZERO_SELF_SIGNED_CERT' || problem === 'SELF_SIGNED_CERT_IN_CHAIN') {
    const remedy =
      'Get a certificate from a public authority. For a private one, set NODE_EXTRA_CA_CERTS to its certificate.';
    return failure('certificate', 'the certificate is self-signed, so clients do not trust it', remedy);
  }
  if (problem === 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' || problem === 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY') {
    const remedy =
      'Configure the server to send the whole chain. For a private authority, set NODE_EXTRA_CA_CERTS to its certificate.';
    return failure('certificate', 'the issuer of the certificate is not known', remedy);
  }
  return failure('certificate', `clients do not trust the certificate: ${plain(problem)}`, 'Replace the certificate.');
}

function day(date: string): string {
  return new Date(date).toISOString().slice(0, 10);
}
