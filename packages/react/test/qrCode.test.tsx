import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Picture } from '../src/parts/Picture.tsx'
import { QrCode } from '../src/views/qrCode/QrCode.tsx'
import '../src/theme.css'
import { readCode } from './readCode.ts'

const hex = (length: number) =>
  Array.from({ length }, (_, index) => ((index * 7 + 3) % 16).toString(16)).join('')
const short = `wc:${hex(64)}@2?relay-protocol=irn&symKey=${hex(64)}&expiryTimestamp=1795227342`
const long = `${short}&relay-data=${encodeURIComponent(`wss://relay.example.org/a/long/path?with=${'x'.repeat(180)}`)}`
/** Busier than any wallet's: half of its dots are dark. */
const noisyLogo = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="#fff"/>${Array.from(
    { length: 32 },
    (_, index) =>
      `<rect x="${(index * 2 + Math.floor(index / 4)) % 8}" y="${Math.floor(index / 4)}" width="1" height="1"/>`,
  ).join('')}</svg>`,
)}`

async function show({
  text,
  theme = 'dark',
  width = 336,
}: {
  text: string | undefined
  theme?: string
  width?: number
}) {
  const ui = (uri: string | undefined) => (
    <div data-lk-theme={theme} style={{ inlineSize: width, background: 'var(--lk-surface)' }}>
      <QrCode text={uri} label="Code" logo={<Picture src={noisyLogo} name="Alder" size="code" />} />
    </div>
  )
  const { container, rerender } = await render(ui(text))
  const place = container.firstElementChild?.firstElementChild as Element
  return { place, rerender: (uri: string) => rerender(ui(uri)) }
}

describe('QrCode', () => {
  test.each([
    ['dark', 336],
    ['light', 336],
    ['dark', 350],
  ])('default: in %s at %i px, with a logo, long or short', async (theme, width) => {
    expect(long.length).toBeGreaterThan(400)
    for (const text of [short, long]) {
      const { place } = await show({ text, theme, width })
      await expect.element(page.getByRole('img', { name: 'Code' }).last()).toBeVisible()
      await expect.poll(() => readCode(place).catch(String)).toBe(text)
    }
  })

  test('behavior: the code takes the place that its skeleton held', async () => {
    const { place, rerender } = await show({ text: undefined })
    const before = place.getBoundingClientRect()
    expect(before.width).toBe(before.height)
    const logo = place.querySelector('img')?.getBoundingClientRect()
    await rerender(short)
    await expect.element(page.getByRole('img', { name: 'Code' })).toBeVisible()
    expect(place.getBoundingClientRect()).toEqual(before)
    expect(place.querySelector('img')?.getBoundingClientRect()).toEqual(logo)
    await expect.poll(() => readCode(place).catch(String)).toBe(short)
  })
})
