import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyTheme, type ThemeRequest } from './applyTheme.ts'
import { contrast } from './contrast.ts'

/** The custom properties that a theme sets on the page. */
function themeOf(request: ThemeRequest, themeMode: 'dark' | 'light'): Record<string, string> {
  const tokens = new Map<string, string>()
  const style = {
    setProperty: (name: string, value: string) => tokens.set(name, value),
    removeProperty: (name: string) => tokens.delete(name),
  }
  applyTheme({ dataset: {}, style } as unknown as HTMLElement, { ...request, themeMode })
  return Object.fromEntries(tokens)
}

test('default: hex colors and a radius', () => {
  const themeVariables = { '--lk-accent': '#0a0', '--lk-radius': '8px', '--lk-surface': '#000000' }
  expect(themeOf({ themeVariables }, 'dark')).toEqual({
    '--lk-accent': '#00aa00',
    '--lk-radius': '8px',
    '--lk-surface': '#000000',
  })
})

test('param: w3mThemeVariables: the accent', () => {
  expect(themeOf({ w3mThemeVariables: { '--w3m-accent': '#ff0000' } }, 'dark')).toEqual({
    '--lk-accent': '#ff0000',
  })
})

test('hostile themes: url(), expressions, transparency, foreign tokens and huge radii are dropped', () => {
  const values = [
    'url(https://evil.example/x)',
    'expression(alert(1))',
    'transparent',
    '#ffffff00',
    '#fff0',
    'red',
    'rgb(0 0 0 / 0)',
    'var(--x)',
    '#fff;background:url(//x)',
    '9999px',
    '-5px',
    '100vh',
    1e9,
    Number.NaN,
  ]
  const names = ['--lk-accent', '--lk-text', '--lk-surface', '--lk-radius', '--lk-font', 'opacity']
  for (const name of names)
    for (const value of values)
      expect(themeOf({ themeVariables: { [name]: value } }, 'dark')).toEqual({})
})

test('hostile themes: text that could not be read takes all colors with it', () => {
  const unreadable = [
    { '--lk-text': '#15171c' },
    { '--lk-surface': '#f2f3f5' },
    { '--lk-surface': '#9ba1ac', '--lk-text': '#000000', '--lk-text-2': '#000000' },
    { '--lk-surface-2': '#ff7b72' },
  ]
  for (const themeVariables of unreadable) expect(themeOf({ themeVariables }, 'dark')).toEqual({})
})

test('hostile themes: behavior: text keeps a contrast of 4.5:1, regardless of the requested colors', () => {
  const hex = fc
    .integer({ min: 0, max: 0xffffff })
    .map((value) => `#${value.toString(16).padStart(6, '0')}`)
  fc.assert(
    fc.property(hex, hex, hex, hex, (surface, second, text, quiet) => {
      const themeVariables = {
        '--lk-surface': surface,
        '--lk-surface-2': second,
        '--lk-text': text,
        '--lk-text-2': quiet,
      }
      const theme = themeOf({ themeVariables }, 'light')
      if (Object.keys(theme).length === 0) return true
      return [text, quiet].every((ink) => [surface, second].every((on) => contrast(ink, on) >= 4.5))
    }),
  )
})
