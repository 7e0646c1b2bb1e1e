import { mayClose } from '@latchkey/core/internal'
import { afterEach, expect, test } from 'vitest'
import { cdp, page } from 'vitest/browser'
import { ordinary } from '../gallery/fillings.ts'
import { german, lengthen } from '../gallery/lengthen.ts'
import { findDefects, unfold } from '../gallery/measures.ts'
import { getSamples } from '../gallery/samples.ts'
import { findMisplaced, findWithoutEdge } from './placement.ts'
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
const samples = new Map(getSamples(ordinary).map((sample) => [sample.label, sample]))

const setForcedColors = (value: 'active' | 'none') =>
  cdp().send('Emulation.setEmulatedMedia', {
    features: [
      { name: 'forced-colors', value },
      { name: 'prefers-reduced-motion', value: 'reduce' },
    ],
  })

afterEach(() => setForcedColors('none'))

test.each(important)('behavior: %s has its buttons in sight in every form', async (label) => {
  const sample = samples.get(label)
  if (!sample) throw new Error(`No view is called ${label}`)
  const { app, translate } = await showSample(sample, { filling: ordinary })
  const canClose = mayClose(app.store.getState().modal)
  const expectPlaced = async (form: string, { mayScroll = false } = {}) => {
    const find = () => [...findDefects(), ...findMisplaced({ canClose, mayScroll })]
    await expect.poll(find, { message: form }).toEqual([])
  }
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
