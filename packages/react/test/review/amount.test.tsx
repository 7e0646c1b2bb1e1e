import { brokenNumbers } from '@latchkey/dev/brokenNumbers'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { LatchkeyProvider } from '../../src/index.ts'
import { Amount } from '../../src/parts/Amount.tsx'
import '../../src/theme.css'
import styles from '../../src/views/send/SendPreview.module.css'
import surface from '../../src/views/surface.module.css'
import { testApp } from '../testApp.ts'

/** Draws an amount in the width of a review on a phone of 320 px, next to a picture. */
const show = (value: string) =>
  render(
    <LatchkeyProvider app={testApp()}>
      <div className={surface.root}>
        <h3 id="narrow" className={styles.question} style={{ inlineSize: '216px' }}>
          <Amount value={value} unit="GRAIN" />
        </h3>
      </div>
    </LatchkeyProvider>,
  )
const digits = () => page.getByRole('button', { name: /[.,\d]+/ })

test.each(['0.25', '1,234.567890123456789', '12,345,678.123456789012', `1.${'8'.repeat(22)}`])(
  'behavior: the %s is on a line, with all digits',
  async (value) => {
    const { getByText } = await show(value)
    await expect.element(getByText(value)).toBeVisible()
    expect(brokenNumbers('#narrow')).toEqual([])
    expect(digits().elements()).toEqual([])
  },
)

test.each([
  [`123,456.${'1'.repeat(30)}`, `123,456.${'1'.repeat(14)}…`],
  ['115,792,089,237,316,195,423,570,985,008,687,907,853', '≈ 1.158 × 10^38'],
  [`−98,765,432,109,876,543,210,987,654,321.5`, '−≈ 9.877 × 10^28'],
])('behavior: %s is shortened to %s, and a press shows all digits', async (value, short) => {
  const { getByText } = await show(value)
  await expect.element(digits()).toHaveTextContent(short)
  expect(brokenNumbers('#narrow')).toEqual([])
  await digits().click()
  await expect.element(getByText(value)).toBeVisible()
})
