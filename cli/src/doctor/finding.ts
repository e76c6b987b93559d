/** The result of a check, with what to do about it. `skipped`: it could not be checked from here. */
export type Finding = {
  area: string;
  status: 'ok' | 'warning' | 'error' | 'skipped';
  message: string;
  remedy?: string;
};

export function ok(area: string, message: string): Finding {
  return { area, status: 'ok', message };
}

export function warning(area: string, message: string, remedy: string): Finding {
  return { area, status: 'warning', message, remedy };
}

export function failure(area: string, message: string, remedy: string): Finding {
  return { area, status: 'error', message, remedy };
}

export function skipped(area: string, message: string, remedy?: string): Finding {
  return { area, status: 'skipped', message, ...(remedy !== undefined && { remedy }) };
}
