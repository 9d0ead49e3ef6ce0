import { createTheme, type CSSVariablesResolver } from '@mantine/core';

/** The platform's look. Contrast is WCAG AA in both schemes; the browser tests check it with axe. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  autoContrast: true,
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.625rem', lineHeight: '1.25' }, h2: { fontSize: '1.25rem', lineHeight: '1.3' }, h3: { fontSize: '1.05rem', lineHeight: '1.4' } } },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // its header is an element that would be taken for a second one of the page
    Modal: { defaultProps: { centered: true, attributes: { header: { role: 'none' } }, overlayProps: { backgroundOpacity: 0.45, blur: 2 } } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
    Table: { defaultProps: { verticalSpacing: 'sm', horizontalSpacing: 'md' } },
    Button: { defaultProps: { radius: 'md' } },
    Card: { defaultProps: { withBorder: true, padding: 'lg', radius: 'lg' } },
  },
});

const TINTS = ['gray', 'red', 'pink', 'grape', 'violet', 'indigo', 'blue', 'cyan', 'teal', 'green', 'lime', 'yellow', 'orange'];

/** Where Mantine's own choices are below 4.5:1. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-red-filled': 'var(--mantine-color-red-9)',
    '--mantine-color-red-filled-hover': 'color-mix(in srgb, var(--mantine-color-red-9), black 15%)',
    '--platform-surface': 'var(--mantine-color-white)',
    '--platform-canvas': '#f7f8fb',
    '--platform-border': 'var(--mantine-color-gray-3)',
    ...Object.fromEntries(TINTS.map((color) => [`--mantine-color-${color}-light-color`, `color-mix(in srgb, var(--mantine-color-${color}-9), black 35%)`])),
    ...Object.fromEntries(TINTS.map((color) => [`--mantine-color-${color}-light-hover`, `var(--mantine-color-${color}-1)`])),
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-2)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-anchor': 'var(--mantine-color-indigo-3)',
    '--platform-surface': 'var(--mantine-color-dark-7)',
    '--platform-canvas': 'var(--mantine-color-dark-8)',
    '--platform-border': 'var(--mantine-color-dark-5)',
    ...Object.fromEntries(TINTS.map((color) => [`--mantine-color-${color}-light-color`, `var(--mantine-color-${color}-2)`])),
  },
});
