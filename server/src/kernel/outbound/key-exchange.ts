import { constants } from 'node:crypto';
import { DEFAULT_CIPHERS } from 'node:tls';

/**
 * Options for TLS connections to addresses that others provide. With finite-field Diffie-Hellman in TLS 1.2, the server
 * chooses the size of the numbers, and computing with 8,192 bits blocks the process for more than a second. So it is not
 * offered. Servers have supported elliptic curves for many years. Nor can a server start another handshake, with other
 * certificates, after it has responded.
 */
export const quickKeyExchange = {
  ciphers: `${DEFAULT_CIPHERS}:!kDHE`,
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
};
