import { contrast, parseHexColor } from './contrast.ts'

type ThemeVariables = Readonly<Record<string, string | number>>
export type ThemeRequest = {
  readonly themeMode?: 'dark' | 'light' | 'system' | undefined
  readonly themeVariables?: ThemeVariables | undefined
  readonly w3mThemeVariables?: ThemeVariables | undefined
  readonly direction?: 'ltr' | 'rtl' | undefined
}

const surfaces = ['--lk-surface', '--lk-surface-2', '--lk-surface-3'] as const
const texts = ['--lk-text', '--lk-text-2'] as const
const accent = '--lk-accent'
const radius = '--lk-radius'
const maxRadius = 28
const leastContrast = 4.5

/** The frame's own colors that are drawn on an app's surfaces. */
const own = {
  dark: {
    '--lk-surface': '#15171c',
    '--lk-surface-2': '#1d2027',
    '--lk-surface-3': '#282c35',
    '--lk-text': '#f2f3f5',
    '--lk-text-2': '#9ba1ac',
    danger: '#ff7b72',
    warning: '#f0b429',
  },
  light: {
    '--lk-surface': '#ffffff',
    '--lk-surface-2': '#f4f5f7',
    '--lk-surface-3': '#e8eaee',
    '--lk-text': '#14161a',
    '--lk-text-2': '#5d6470',
    danger: '#c62f26',
    warning: '#8a5a00',
  },
} as const

/**
 * Reads the valid tokens of a theme: opaque hex colors and a radius in px. Everything else is
 * ignored. All surface and text colors are ignored if the contrast of text, or of any of
 * our warnings, would be below 4.5:1.
 */
function readTheme(
  { themeVariables = {}, w3mThemeVariables = {} }: ThemeRequest,
  modes: readonly ('dark' | 'light')[],
): Record<string, string> {
  const settings = new Map(Object.entries({ ...plainNames(w3mThemeVariables), ...themeVariables }))
  const colors: Record<string, string> = {}
  for (const name of [...surfaces, ...texts]) {
    const hex = parseHexColor(settings.get(name))
    if (hex) colors[name] = hex
  }
  const readable = modes.every((mode) => {
    const shown: Record<string, string> = { ...own[mode], ...colors }
    const inks = [...texts, 'danger', 'warning'].map((name) => shown[name] ?? '')
    return surfaces
      .slice(0, 2)
      .every((on) => inks.every((ink) => contrast(ink, shown[on] ?? '') >= leastContrast))
  })
  const tokens: Record<string, string> = readable ? colors : {}
  const fill = parseHexColor(settings.get(accent))
  if (fill) tokens[accent] = fill
  const corner = /^(\d{1,2})(px)?$/.exec(String(settings.get(radius) ?? ''))?.[1]
  if (corner !== undefined && Number(corner) <= maxRadius) tokens[radius] = `${corner}px`
  return tokens
}

const plainNames = (variables: ThemeVariables): ThemeVariables =>
  Object.hasOwn(variables, '--w3m-accent') && variables['--w3m-accent'] !== undefined
    ? { [accent]: variables['--w3m-accent'] }
    : {}

/** Applies a theme to the page. */
export function applyTheme(root: HTMLElement, request: ThemeRequest): void {
  const { themeMode = root.dataset.lkTheme ?? 'dark', direction } = request
  const tokens = readTheme(
    request,
    themeMode === 'system' ? ['dark', 'light'] : [themeMode === 'light' ? 'light' : 'dark'],
  )
  root.dataset.lkTheme = themeMode
  if (direction) root.dir = direction
  for (const name of [...surfaces, ...texts, accent, radius]) {
    const value = tokens[name]
    if (value === undefined) root.style.removeProperty(name)
    else root.style.setProperty(name, value)
  }
}
