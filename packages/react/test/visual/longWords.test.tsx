import { german } from '@latchkey/dev/longWords'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { longest } from '../gallery/fillings.ts'
import { arabic, lengthen } from '../gallery/lengthen.ts'
import { findOverflow, unfold } from '../gallery/measures.ts'
import { getSamples } from '../gallery/samples.ts'
import { showSample } from './showSample.tsx'

const samples = getSamples(longest)

/** The view has these words, and nothing leaves the card. */
async function expectWhole(words: string) {
  const found = page.getByRole('dialog').getByText(words)
  await expect
    .poll(() => {
      unfold()
      return found.elements().at(-1)?.checkVisibility()
    })
    .toBe(true)
  await expect.poll(findOverflow, { message: words }).toEqual([])
}

test.each(samples)('behavior: $label holds long words on a phone', async (sample) => {
  await page.viewport(390, 844)
  const { translate } = await showSample(sample, { filling: longest, messages: lengthen(german) })
  await expectWhole(german)
  document.documentElement.dir = 'rtl'
  await translate(lengthen(arabic))
  await expectWhole(arabic)
})
