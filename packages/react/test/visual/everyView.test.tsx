import { setTheme } from '@latchkey/core/internal'
import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { longest } from '../gallery/fillings.ts'
import { findDefects, getCard, unfold } from '../gallery/measures.ts'
import { getSamples } from '../gallery/samples.ts'
import { violations } from '../violations.ts'
import {
  findCrowdedRows,
  findLonelyTabs,
  findReversedNumbers,
  findUnevenFacts,
} from './placement.ts'
import { showSample } from './showSample.tsx'

const widths = [320, 360, 390, 768, 1024, 1280]
/** A name of a wallet stands next to a tag; a name without a gap next to an amount, and breaks. */
const maxLines: Readonly<Record<string, number>> = {
  Connect: 3,
  OnRampProviders: 5,
  BuyInProgress: 3,
}
const samples = getSamples(longest)

test.each(samples)(
  'behavior: $label breaks no number, aligns what belongs together, keeps its own styles, and axe accepts it',
  async (sample) => {
    const { app } = await showSample(sample, { filling: longest })
    unfold()
    const inputs = [...getCard().querySelectorAll<HTMLInputElement>('input[inputmode="decimal"]')]
    for (const width of widths) {
      await page.viewport(width, 640)
      await expect.poll(findDefects, { message: `${width} px` }).toEqual([])
      const isCut = ({ scrollWidth, clientWidth }: Element) => scrollWidth > clientWidth + 1
      expect(inputs.filter(isCut), `an amount is cut at ${width} px`).toEqual([])
      const crowded = () => findCrowdedRows(maxLines[sample.label] ?? 2)
      await expect.poll(crowded, { message: `${width} px` }).toEqual([])
      expect(findUnevenFacts(), `${width} px`).toEqual([])
    }
    expect(findLonelyTabs()).toEqual([])
    document.documentElement.dir = 'rtl'
    await expect.poll(findReversedNumbers).toEqual([])
    expect(findUnevenFacts()).toEqual([])
    document.documentElement.dir = 'ltr'
    await page.viewport(1280, 860)
    expect(await violations()).toEqual([])
    setTheme(app, { mode: 'light' })
    expect(await violations(['color-contrast', 'link-in-text-block'])).toEqual([])
    const before = readWords()
    const style = document.createElement('style')
    style.textContent = `@layer base { ${words} { color: red; letter-spacing: 3px; text-transform: uppercase } }`
    document.head.prepend(style)
    onTestFinished(() => style.remove())
    expect(readWords(), 'with the styles of a page').toEqual(before)
  },
)

/** The elements that pages often style. */
const words = 'h1, h2, h3, h4, p, ul, ol, li, dl, dt, dd, small, strong, label, legend, summary'

const readWords = () =>
  [...getCard().querySelectorAll(words)].map((element) => {
    const { color, letterSpacing, textTransform } = getComputedStyle(element)
    return [element.outerHTML.slice(0, 80), color, letterSpacing, textTransform]
  })
