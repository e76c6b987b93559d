import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

const cost = { N: 16_384, r: 8, p: 1 };

/** scrypt, with its parameters in the text so that they can be raised later. */
export async function hashSecret(secret: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(secret, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), hash.toString('base64')].join('$');
}

export async function isSecret(secret: string, stored: string): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = stored.split('$');
  const expected = Buffer.from(hash, 'base64');
  const found = await derive(secret, Buffer.from(salt, 'base64'), { N: Number(N), r: Number(r), p: Number(p) });
  return timingSafeEqual(expected, found);
}

function derive(secret: string, salt: Buffer, parameters: typeof cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, 32, parameters, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
