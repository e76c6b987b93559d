import type { Role } from './app.ts';
import type { Cleanup } from './cleanup.ts';
import type { Config } from './config.ts';
import { AddressError, type ReservedAddress, reserveAddress } from './reserve-address.ts';
import { StartError } from './start-database.ts';

/** The addresses that the role listens on. */
export type ReservedAddresses = {
  http: ReservedAddress;
  metrics: ReservedAddress | undefined;
  sftp: ReservedAddress | undefined;
};

export async function reserveAddresses(role: Role, config: Config, cleanup: Cleanup): Promise<ReservedAddresses> {
  const http = await reserveAddress(config);
  cleanup.add(http.release);
  const metrics = await reserveMetricsAddress(config, cleanup);
  return { http, metrics, sftp: await reserveSftpAddress(role, config, cleanup) };
}

async function reserveMetricsAddress({ host, metrics: { port } }: Config, cleanup: Cleanup) {
  if (port === null) return undefined;
  const address = await reserveAddress({ host, port, setting: 'AISLE_METRICS_PORT' });
  cleanup.add(address.release);
  return address;
}

/** If the default port is in use, the server starts without SFTP, which most people who try Aisle do not need. */
async function reserveSftpAddress(role: Role, { host, sftp, databaseUrl }: Config, cleanup: Cleanup) {
  const isWanted = role === 'sftp' || sftp.isPortSet;
  if ((role !== 'all' && role !== 'sftp') || sftp.port === null) {
    if (role === 'sftp') throw new StartError('The role sftp needs a port; AISLE_SFTP_PORT is off.');
    return undefined;
  }
  if (databaseUrl !== null && sftp.hostKey === null) {
    if (!isWanted) return undefined;
    throw new StartError(
      'SFTP with DATABASE_URL needs a host key; set AISLE_SFTP_HOST_KEY, or AISLE_SFTP_PORT to off.',
    );
  }
  try {
    const address = await reserveAddress({ host, port: sftp.port, setting: 'AISLE_SFTP_PORT' });
    cleanup.add(address.release);
    return address;
  } catch (error) {
    if (isWanted || !(error instanceof AddressError)) throw error;
    console.error(`SFTP is off: ${error.message}`);
    return undefined;
  }
}
