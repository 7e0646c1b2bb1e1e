import { mayClose } from '@latchkey/core/internal'
import { isInSight } from '@latchkey/dev/isInSight'
import { german } from '@latchkey/dev/longWords'
import { afterEach, expect, test } from 'vitest'
import { cdp, page } from 'vitest/browser'
import { ordinary } from '../gallery/fillings.ts'
import { lengthen } from '../gallery/lengthen.ts'
import { findDefects, findWithoutEdge, getCard, unfold } from '../gallery/measures.ts'
import { getSamples } from '../gallery/samples.ts'
import { findMisplaced } from './placement.ts'
import { showSample } from './showSample.tsx'

/** The twenty most important views. */
const important = [
  'Connect',
  'AllWallets',
  'ConnectingExternal',
  'ConnectingWalletConnectBasic',
  'EmailVerifyDevice',
  'Account',
  'Account, activity',
  'ActivityDetail',
  'TokenDetail',
  'NftDetail',
  'Networks',
  'SIWXSignMessage',
  'Send',
  'SendPreview',
  'SendConfirmed',
  'Swap',
  'SwapPreview',
  'Receive',
  'Buy',
  'ReviewTransaction',
]
/** The reviews, whose buttons stay in sight while the request scrolls. */
const reviews = ['SendPreview', 'SendNftPreview', 'SwapPreview', 'ReviewTransaction']
const samples = new Map(getSamples(ordinary).map((sample) => [sample.label, sample]))

const setForcedColors = (value: 'active' | 'none') =>
  cdp().send('Emulation.setEmulatedMedia', {
    features: [
      { name: 'forced-colors', value },
      { name: 'prefers-reduced-motion', value: 'reduce' },
    ],
  })

afterEach(() => setForcedColors('none'))

/** Draws a view by its name. `expectPlaced` expects its important parts in sight. */
async function show(label: string, answers?: Parameters<typeof showSample>[1]['answers']) {
  const sample = samples.get(label)
  if (!sample) throw new Error(`No view is called ${label}`)
  const setup = { filling: ordinary, ...(answers && { answers }) }
  const { app, translate } = await showSample(sample, setup)
  const canClose = mayClose(app.store.getState().modal)
  const expectPlaced = async (form: string, { mayScroll = false } = {}) => {
    const find = () => [...findDefects(), ...findMisplaced({ canClose, mayScroll })]
    await expect.poll(find, { message: form }).toEqual([])
  }
  return { translate, expectPlaced }
}

test.each(important)('behavior: %s has its buttons in sight in every form', async (label) => {
  const { translate, expectPlaced } = await show(label)
  await page.viewport(1280, 860)
  await expectPlaced('1280 px')
  await page.viewport(390, 844)
  await expectPlaced('390 px')
  document.documentElement.dir = 'rtl'
  await expectPlaced('right to left')
  document.documentElement.dir = 'ltr'
  // A window of 1280 by 860 px has half of its CSS pixels then.
  await page.viewport(640, 430)
  await expectPlaced('200 % zoom', { mayScroll: true })
  await page.viewport(390, 844)
  await translate(lengthen(german))
  await expectPlaced('longest words', { mayScroll: true })
  await setForcedColors('active')
  unfold()
  await expect.poll(findWithoutEdge, { message: 'forced colors' }).toEqual([])
})

test.each(reviews)('behavior: %s has its buttons in sight in a small window', async (label) => {
  const { expectPlaced } = await show(label)
  for (const [width, height] of [
    [1280, 800],
    [320, 480],
  ] as const) {
    await page.viewport(width, height)
    await expectPlaced(`${width} × ${height}`)
  }
})

test('behavior: at 1280 × 800, Connect needs no scrolling, and its last line is whole', async () => {
  const { expectPlaced } = await show('Connect')
  await page.viewport(1280, 800)
  await expectPlaced('1280 × 800')
  const last = page.getByRole('dialog').getByText('New here?')
  await expect.poll(() => isInSight(last.element())).toBe(true)
  const frame = getCard().lastElementChild
  await expect.poll(() => frame && frame.scrollHeight - frame.clientHeight).toBe(0)
})

test.each(['ConnectingWalletConnectBasic', 'Receive'])(
  'behavior: on an enlarged page, the whole code of %s is in sight at once',
  async (label) => {
    await show(label)
    await page.viewport(640, 400)
    const code = page.getByRole('dialog').getByRole('img', { name: /^QR code/ })
    code.element().scrollIntoView({ block: 'center' })
    await expect.poll(() => isInSight(code.element())).toBe(true)
    const height = getCard().lastElementChild?.clientHeight
    expect(code.element().getBoundingClientRect().height).toBeLessThan(height ?? 0)
  },
)

test('behavior: with five tokens, the account keeps its menu in sight at 1280 × 800', async () => {
  const names = ['Alder', 'Birch', 'Cedar', 'Willow']
  const tokens = names.map((name, index) => ({
    ...{ name, symbol: name.toUpperCase(), chainId: 'eip155:31337', iconUrl: '' },
    address: `eip155:31337:0x${String(index + 1).repeat(40)}`,
    ...{ quantity: { decimals: '18', numeric: '12.5' }, price: 2, value: 25 },
  }))
  const ether = {
    ...{ name: 'Ether', symbol: 'ETH', chainId: 'eip155:31337', iconUrl: '' },
    ...{ quantity: { decimals: '18', numeric: '1.5' }, price: 2_000, value: 3_000 },
  }
  const { expectPlaced } = await show('Account', {
    balances: () => ({ balances: [ether, ...tokens] }),
  })
  await page.viewport(1280, 800)
  await expectPlaced('1280 × 800')
  const dialog = page.getByRole('dialog')
  const out = dialog.getByRole('button', { name: 'Disconnect' })
  await expect.poll(() => isInSight(out.element())).toBe(true)
  const last = dialog.getByRole('button', { name: /Willow/ })
  await expect.element(last).toBeVisible()
  await expect.poll(() => isInSight(last.element())).toBe(true)
  // Nor does the menu leave at the end of the list.
  getCard().lastElementChild?.scrollTo(0, 10_000)
  await expect.poll(() => isInSight(out.element())).toBe(true)
})
