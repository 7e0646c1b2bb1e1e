import { setTheme } from '@latchkey/core/internal'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { longest } from '../gallery/fillings.ts'
import { findDefects, getCard, unfold } from '../gallery/measures.ts'
import { getSamples } from '../gallery/samples.ts'
import { violations } from '../violations.ts'
import { showSample } from './showSample.tsx'

const widths = [320, 360, 390, 768, 1024, 1280]
const samples = getSamples(longest)

test.each(samples)('behavior: $label breaks no number, and axe accepts it', async (sample) => {
  const { app } = await showSample(sample, { filling: longest })
  unfold()
  const inputs = [...getCard().querySelectorAll<HTMLInputElement>('input[inputmode="decimal"]')]
  for (const width of widths) {
    await page.viewport(width, 640)
    await expect.poll(findDefects, { message: `${width} px` }).toEqual([])
    const isCut = ({ scrollWidth, clientWidth }: Element) => scrollWidth > clientWidth + 1
    expect(inputs.filter(isCut), `an amount is cut at ${width} px`).toEqual([])
  }
  await page.viewport(1280, 860)
  expect(await violations()).toEqual([])
  setTheme(app, { mode: 'light' })
  expect(await violations(['color-contrast', 'link-in-text-block'])).toEqual([])
})
