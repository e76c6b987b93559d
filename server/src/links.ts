/** All URLs on this server that appear in responses, events and printed text. */
export type Links = {
  /** Without a trailing slash. */
  readonly publicUrl: string;
  /** The origin that browsers send for our pages. */
  readonly origin: string;
  readonly api: string;
  readonly docs: string;
  readonly portal: string;
  readonly console: string;
  /** Makes the URL absolute if it is stored as a path on this server. */
  image(url: string): string;
  catalogDownload(chainId: string, jobId: string): string;
  promotionDownload(chainId: string, jobId: string): string;
  file(chainId: string, fileId: string): string;
  /** The URL of a vendor's order list, which is an array without an envelope. */
  bareOrders(chainId: string, vendorId: string): string;
};

export function createLinks(publicUrl: string): Links {
  const chain = (chainId: string) => `${publicUrl}/v2/chains/${chainId}`;
  return {
    publicUrl,
    origin: new URL(publicUrl).origin,
    api: `${publicUrl}/v2`,
    docs: `${publicUrl}/docs`,
    portal: `${publicUrl}/portal`,
    console: `${publicUrl}/console`,
    image: (url) => (url.startsWith('/') ? publicUrl + url : url),
    catalogDownload: (chainId, jobId) => `${chain(chainId)}/catalog/jobs/${jobId}/download`,
    promotionDownload: (chainId, jobId) => `${chain(chainId)}/promotion/jobs/${jobId}/download`,
    file: (chainId, fileId) => `${chain(chainId)}/files/${fileId}`,
    bareOrders: (chainId, vendorId) => `${chain(chainId)}/vendors/${vendorId}`,
  };
}

/** The URL to use on this machine, whatever address the server is bound to. */
export function localUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
