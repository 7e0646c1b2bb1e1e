import { fill } from '../locales/en.ts'
import { pictureTexts as t } from '../locales/picture.en.ts'
import type { Picture } from './picture.ts'

/** Lines on a square of 24, drawn in white. */
export const symbols = {
  anchor:
    'M12 7v14M12 7a2.2 2.2 0 1 0 0-4.4A2.2 2.2 0 0 0 12 7zM8 11h8M2.5 16L4 13.5 6.5 15M21.5 16L20 13.5 17.5 15M4 13.5c0 4.5 3.5 7.5 8 7.5s8-3 8-7.5',
  boat: 'M12 2.5V14h6.5C18 9 15.5 5 12 2.5zM9 6.5C8.5 10 7 12.5 5 14h4zM2.5 17h19L19 21.5H5z',
  crown: 'M4.5 17.5h15l2-10.5-5.2 4L12 4.5 7.7 11 2.5 7zM4.5 21h15',
  cup: 'M4.5 8.5h12v6.5a4.5 4.5 0 0 1-4.5 4.5H9A4.5 4.5 0 0 1 4.5 15zM16.5 10.5h2a2.5 2.5 0 0 1 0 5h-2M8 2.5v3M13 2.5v3',
  fish: 'M2.5 12c3.5-5.5 9.5-6.5 13.5-2l5.5-3.5v11L16 14c-4 4.5-10 3.5-13.5-2zM7.5 11v1',
  flower:
    'M12 9.5C7.5 7.5 8.5 2.5 12 2.5s4.5 5 0 7zM14.5 12c2-4.5 7-3.5 7 0s-5 4.5-7 0zM12 14.5c4.5 2 3.5 7 0 7s-4.5-5 0-7zM9.5 12c-2 4.5-7 3.5-7 0s5-4.5 7 0z',
  heart:
    'M12 20.5C5 15.5 2.5 12 2.5 8.5a4.8 4.8 0 0 1 9.5-1.2 4.8 4.8 0 0 1 9.5 1.2c0 3.5-2.5 7-9.5 12z',
  house: 'M2.5 12L12 3.5l9.5 8.5M5.5 9.5v11h13v-11M10 20.5V14h4v6.5',
  kite: 'M13.5 2.5l7 5.5-7 9.5L7 8zM7 8h13.5M13.5 2.5v15c-1.5 3-4 .5-5.5 2.5s-3.5 1.5-5 0',
  leaf: 'M3 21c2-6 6-9 11-11M5 16.5C4 8 9 3.5 20.5 3.5 21 14.5 15 19.5 5.5 17',
  moon: 'M20.5 14.5A8.8 8.8 0 1 1 9.5 3.5a7.2 7.2 0 0 0 11 11z',
  mountain: 'M2 20L9 5.5 13.5 14l2.5-4 6 10zM6.5 10.7l2.5 2 2.5-2.2',
  mushroom:
    'M2.5 12.5c0-5.5 4-9 9.5-9s9.5 3.5 9.5 9zM9 12.5v5.5a3 3 0 0 0 6 0v-5.5M8 9V8M13 7.5v-1M17 9.5v-1',
  star: 'M12 2.5l2.900 6.2 6.7.8-4.900 4.7 1.3 6.7L12 17.600l-6 3.3 1.3-6.7-4.900-4.7 6.7-.8z',
  tree: 'M12 2.5l-6.5 8h3L4 16.5h16l-4.5-6h3zM12 16.5v5',
  umbrella: 'M2.5 12.5c0-5.5 4-9 9.5-9s9.5 3.5 9.5 9zM12 2v1.5M12 12.5V19a2.3 2.3 0 0 0 4.600 0',
} as const

/** White has a contrast of 4.5:1 or more on each. */
export const colors = {
  red: '#c2313b',
  orange: '#b4530a',
  gold: '#846600',
  green: '#1f7a3d',
  teal: '#0f766e',
  blue: '#2a5fd0',
  purple: '#7b3fc7',
  pink: '#bf2c84',
} as const

/** A picture as it is stored: 128 are possible. */
export type PictureChoice = {
  readonly symbol: keyof typeof symbols
  readonly color: keyof typeof colors
}

/** Returns the drawing of a stored choice; undefined if `found` is not a valid choice. */
export function drawPicture(found: unknown): Picture | undefined {
  const { symbol, color } = (found ?? {}) as Partial<PictureChoice>
  if (symbol === undefined || !Object.hasOwn(symbols, symbol)) return undefined
  if (color === undefined || !Object.hasOwn(colors, color)) return undefined
  const label = fill(t.label, { color: t.color[color], symbol: t.symbol[symbol] })
  return { id: `${symbol}-${color}`, label, path: symbols[symbol], color: colors[color] }
}

/**
 * Returns the drawing of a picture's id. Anyone can write an address, so nothing else of it is
 * drawn.
 */
export function drawPictureOf(id: string): Picture | undefined {
  const [symbol, color] = id.split('-')
  return drawPicture({ symbol, color })
}

/** Shuffles the items, so that a page that covers the choice cannot know what was pressed. */
export function shuffle<Item>(items: readonly Item[]): Item[] {
  const keys = crypto.getRandomValues(new Uint32Array(items.length))
  return items
    .map((item, index) => ({ item, key: keys[index] ?? 0 }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)
}

/** Suggests a random picture, which an attacker guesses with a chance of 1 in 128. */
export function suggestPicture(): PictureChoice {
  const [symbol = 'anchor'] = shuffle(Object.keys(symbols) as PictureChoice['symbol'][])
  const [color = 'blue'] = shuffle(Object.keys(colors) as PictureChoice['color'][])
  return { symbol, color }
}
