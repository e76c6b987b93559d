import type { Role } from '@aisle/contract/route';

/** People type codes with spaces and dashes, and recovery codes in any case. */
export function normalizeCode(text: string): string {
  return text.toLowerCase().replace(/[\s-]+/g, '');
}

export function isAppCode(normalized: string): boolean {
  return /^\d{6}$/.test(normalized);
}

/** `k7m2xq-4hbt2w-…`, which is easier to read and type than 24 characters in a row. */
export function formatRecoveryCode(base32: string): string {
  return (
    base32
      .toLowerCase()
      .match(/.{1,6}/g)
      ?.join('-') ?? ''
  );
}

/** Whether the user has to turn on a second factor before doing anything else. */
export function mustSetUpSecondFactor(user: {
  role: Role;
  has_second_factor: boolean;
  require_second_factor_for_owners: boolean;
}): boolean {
  return user.require_second_factor_for_owners && user.role === 'OWNER' && !user.has_second_factor;
}
