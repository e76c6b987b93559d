import type { AnchorProps, ButtonProps } from '@mantine/core';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import { ButtonLink, RowLink, TextLink } from '../kit/link.tsx';

/**
 * The links of the console. TypeScript knows only one router, the portal's, so these are the same components for other
 * paths.
 */
export type Target = { to: string; params?: Record<string, string>; search?: Record<string, unknown> };
type Rest = { children?: ReactNode; title?: string };

export const ConsoleLink = TextLink as unknown as ComponentType<AnchorProps & Rest & Target>;
export const ConsoleRowLink = RowLink as unknown as ComponentType<AnchorProps & Rest & Target>;
export const ConsoleButtonLink = ButtonLink as unknown as ComponentType<ButtonProps & Rest & Target>;
export const PlainLink = Link as unknown as ComponentType<
  Target & { children?: ReactNode; activeOptions?: { exact: boolean }; className?: string; style?: object }
>;

export function useGo(): (target: Target & { replace?: boolean }) => void {
  const navigate = useNavigate() as unknown as (target: Target & { replace?: boolean }) => Promise<void>;
  return (target) => void navigate(target);
}

export function usePathParam(name: string): string {
  return (useParams({ strict: false }) as Record<string, string>)[name] ?? '';
}

/** The query of the page's URL, as text. */
export function useFilters(): Record<string, string> {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(search).map(([name, value]) => [name, String(value)]));
}
