import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';
import type { Translate } from './messages/catalogue.ts';

const aisle: MantineColorsTuple = [
  '#eefaf8',
  '#d9f2ee',
  '#b1e4dc',
  '#86d5c9',
  '#5fc4b6',
  '#2fa898',
  '#158d80',
  '#0f766e',
  '#0c5f59',
  '#0a4a46',
];

/** Cooler grays than Mantine's defaults. */
const dark: MantineColorsTuple = [
  '#d0d7de',
  '#b4bdc7',
  '#97a1ac',
  '#68727d',
  '#3a4148',
  '#30363c',
  '#21262b',
  '#1a1e22',
  '#14171a',
  '#0d1012',
];

/** The title of a dialog stands out like the headings of a page. */
const dialogStyles = { title: { fontWeight: 600, lineHeight: 1.35 } };
/** A page has one banner, which is its own header, not the header of a dialog. */
const dialogAttributes = { header: { role: 'none' } };

/** A dense theme with small controls and little color. System fonts are used, so nothing is loaded from other hosts. */
export function createPortalTheme(t: Translate) {
  return createTheme({
    colors: { aisle, dark },
    primaryColor: 'aisle',
    primaryShade: 7,
    autoContrast: true,
    defaultRadius: 'md',
    fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
    fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace',
    headings: {
      fontWeight: '600',
      sizes: { h1: { fontSize: '1.375rem' }, h2: { fontSize: '1.0625rem' }, h3: { fontSize: '0.9375rem' } },
    },
    cursorType: 'pointer',
    components: {
      // Only the background and the icon are colored. The text keeps its default color.
      Alert: {
        styles: { title: { color: 'var(--mantine-color-text)' }, message: { color: 'var(--mantine-color-text)' } },
      },
      Button: { defaultProps: { size: 'sm' } },
      Card: { defaultProps: { withBorder: true, padding: 'md' } },
      Modal: {
        styles: dialogStyles,
        defaultProps: {
          attributes: dialogAttributes,
          closeButtonProps: { 'aria-label': t('kit.closeDialog') },
          centered: true,
          size: 'lg',
          overlayProps: { backgroundOpacity: 0.4, blur: 2 },
        },
      },
      Table: { defaultProps: { verticalSpacing: 8, horizontalSpacing: 'md', highlightOnHover: true } },
      Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
      // The placeholder is a child that a menu is not allowed to have. Without it, the first item has the focus.
      Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
      PasswordInput: { defaultProps: { visibilityToggleButtonProps: { 'aria-label': t('kit.showPassword') } } },
      Notification: { defaultProps: { closeButtonProps: { 'aria-label': t('kit.dismiss') } } },
      Drawer: {
        styles: dialogStyles,
        defaultProps: {
          attributes: dialogAttributes,
          closeButtonProps: { 'aria-label': t('kit.closeDialog') },
          position: 'right',
          size: 'lg',
          overlayProps: { backgroundOpacity: 0.3 },
        },
      },
    },
  });
}

/** Overrides for Mantine's CSS variables. For example, the default gray is too light for small text. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#56606b',
    '--mantine-color-placeholder': '#68727d',
    '--mantine-color-body': '#ffffff',
    '--aisle-ground': '#f6f8f9',
    '--aisle-line': '#e2e7eb',
    '--aisle-control': '#8a949e',
    '--mantine-color-error': '#c92a2a',
  },
  dark: {
    '--mantine-color-dimmed': '#a3adb8',
    '--mantine-color-placeholder': '#97a1ac',
    '--mantine-color-body': '#1a1e22',
    '--aisle-ground': '#14171a',
    '--aisle-line': '#30363c',
    '--aisle-control': '#7b858f',
    // The default alert backgrounds are too bright in dark mode.
    '--mantine-color-yellow-light': 'rgba(250, 176, 5, 0.14)',
    '--mantine-color-orange-light': 'rgba(253, 126, 20, 0.16)',
    '--mantine-color-red-light': 'rgba(250, 82, 82, 0.16)',
    '--mantine-color-red-light-color': '#ff8787',
    '--mantine-color-teal-light': 'rgba(18, 184, 134, 0.16)',
    '--mantine-color-aisle-light': 'rgba(47, 168, 152, 0.18)',
    '--mantine-color-aisle-light-hover': 'rgba(47, 168, 152, 0.26)',
    '--mantine-color-aisle-light-color': '#86d5c9',
    '--mantine-color-error': '#ff8787',
  },
});
