import { type App, bitcoin, latchkeyOne, mayClose, polkadot, solana } from '@latchkey/core/internal'
import { isInSight } from '@latchkey/dev/isInSight'
import { german } from '@latchkey/dev/longWords'
import { afterEach, expect, test } from 'vitest'
import { cdp, page } from 'vitest/browser'
import { longest, ordinary } from '../gallery/fillings.ts'
import { lengthen } from '../gallery/lengthen.ts'
import { findDefects, findWithoutEdge, getCard, unfold, untilStill } from '../gallery/measures.ts'
import { getSamples, type Sample } from '../gallery/samples.ts'
import { bob } from '../testApp.ts'
import { findMisplaced, findSplitWords } from './placement.ts'
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
const samples = getSamples(ordinary)

function find(label: string, among = samples): Sample {
  const sample = among.find((other) => other.label === label)
  if (!sample) throw new Error(`No view is called ${label}`)
  return sample
}

const setForcedColors = (value: 'active' | 'none') =>
  cdp().send('Emulation.setEmulatedMedia', {
    features: [
      { name: 'forced-colors', value },
      { name: 'prefers-reduced-motion', value: 'reduce' },
    ],
  })

afterEach(() => setForcedColors('none'))

/** Draws a view by its name. `expectPlaced` expects its important parts in sight. */
async function show(
  label: string,
  {
    answers,
    config,
  }: Pick<Parameters<typeof showSample>[1], 'answers'> & Pick<Sample, 'config'> = {},
) {
  const setup = { filling: ordinary, ...(answers && { answers }) }
  const sample = find(label)
  const { app, translate } = await showSample(
    { ...sample, config: { ...sample.config, ...config } },
    setup,
  )
  const canClose = mayClose(app.store.getState().modal)
  const expectPlaced = async (form: string, { mayScroll = false } = {}) => {
    const problems = () => [...findDefects(), ...findMisplaced({ canClose, mayScroll })]
    await expect.poll(problems, { message: form }).toEqual([])
  }
  return { app, translate, expectPlaced }
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

test.each(['SendConfirmed', 'SwapConfirmed'])(
  'behavior: in %s facts and rows begin on one line',
  async (label) => {
    await show(label)
    const words = [
      ...getCard().querySelectorAll('dt'),
      page.getByText('Transaction', { exact: true }).element(),
    ]
    const starts = words.map((one) => Math.round(one.getBoundingClientRect().left))
    expect(starts).toEqual(words.map(() => starts[0]))
  },
)

const { amount, word } = longest

test.each([
  ['SendPreview', `Send ${amount} ETH to bob.eth?`],
  ['SendNftPreview', `Send 2 × ${word} to bob.eth?`],
  ['SwapPreview', `Swap ${amount} ETH for about 2,469,135 GOLD?`],
  ['ReviewTransaction', '1,234,567,890,123.456789 TUSD leaves your account'],
])('behavior: the first line of %s is what happens, with the whole amount', async (label, text) => {
  await showSample(find(label, getSamples(longest)), { filling: longest })
  for (const [width, height] of [
    [1280, 800],
    [320, 480],
  ] as const) {
    await page.viewport(width, height)
    const [, , frame] = getCard().children
    const first = frame?.querySelector('h3, p, dt, li')
    await expect.poll(() => first?.textContent).toBe(text)
    expect(first?.tagName).toBe('H3')
    expect(isInSight(first)).toBe(true)
    await expect.poll(() => first && findSplitWords(first)).toEqual([])
  }
})

test('behavior: at 1280 × 800, Connect needs no scrolling, and its last line is whole', async () => {
  const { expectPlaced } = await show('Connect')
  await page.viewport(1280, 800)
  await expectPlaced('1280 × 800')
  const last = page.getByRole('dialog').getByText('New here?')
  await expect.poll(() => isInSight(last.element())).toBe(true)
  const panes = [getCard().lastElementChild, getCard().querySelector('[data-pane="list"]')]
  const getHidden = () => panes.map((pane) => pane && pane.scrollHeight - pane.clientHeight)
  await expect.poll(getHidden).toEqual([0, 0])
})

test.each([
  [1280, 800, 'Connect'],
  [1280, 800, 'AllWallets'],
  [390, 844, 'AllWallets'],
] as const)(
  'behavior: at %i × %i, from %s, the field that searches all wallets does not move',
  async (width, height, label) => {
    await show(label)
    await page.viewport(width, height)
    const dialog = page.getByRole('dialog')
    if (label === 'Connect') await dialog.getByRole('button', { name: /^All wallets/ }).click()
    const field = dialog.getByRole('searchbox')
    await expect.element(field).toBeVisible()
    await untilStill()
    const place = () => field.element().getBoundingClientRect().top
    const before = place()
    for (const [search, found] of [
      ['Ced', 'Cedar'],
      ['Nothing', 'No wallet'],
    ] as const) {
      await field.fill(search)
      await expect.element(dialog.getByText(found).first()).toBeVisible()
      await untilStill()
      expect(Math.abs(place() - before)).toBeLessThan(2)
    }
  },
)

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

const others = { solana, bip122: bitcoin, polkadot }

/** Connects accounts of further namespaces, on which nothing depends. */
function connectOthers({ store }: App, namespaces: readonly (keyof typeof others)[]) {
  for (const namespace of namespaces) {
    const chainId = others[namespace].caipNetworkId
    const account = { namespace, address: bob, type: 'eoa' } as const
    const connection = {
      ...({ status: 'connected', connectorId: namespace, wallet: { name: 'Orchard' } } as const),
      ...{
        chainId,
        caipAddress: `${chainId}:${bob}` as const,
        account,
        accounts: [account] as const,
      },
    }
    store.setState(({ connections }) => ({
      connections: { ...connections, [namespace]: connection },
    }))
  }
}

/** Adds a further namespace of the wallet in use. */
const offerFurther = ({ store }: App) =>
  store.setState(({ connectors }) => ({
    connectors: [
      ...connectors,
      { id: 'further', kind: 'injected', name: 'Fieldwork', namespaces: ['polkadot'] },
    ],
  }))

/** Makes the account an embedded wallet that is only on this device. */
const loseRecovery = ({ store }: App) =>
  store.setState(({ connectors }) => ({
    connectors: connectors.map((info) => ({ ...info, traits: { ...info.traits, hasLogin: true } })),
    user: { email: 'ada@mail.example', isRecoverable: false },
  }))

test.each<[string, (keyof typeof others)[], ((app: App) => void)?]>([
  ['an account of one namespace', []],
  ['an account of one namespace only on this device', [], loseRecovery],
  ['accounts of two namespaces', ['solana']],
  ['accounts of two namespaces and a further one to connect', ['solana'], offerFurther],
  ['accounts of two namespaces only on this device', ['solana'], loseRecovery],
  ['accounts of four namespaces', ['solana', 'bip122', 'polkadot']],
  [
    'accounts of four namespaces only on this device',
    ['solana', 'bip122', 'polkadot'],
    loseRecovery,
  ],
])(
  'behavior: with %s, five tokens and the menu are in sight at 1280 × 800',
  async (_, namespaces, prepare) => {
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
    const offered = prepare === offerFurther ? [polkadot] : []
    const networks = [latchkeyOne, ...namespaces.map((name) => others[name]), ...offered] as const
    const { app, expectPlaced } = await show('Account', {
      answers: { balances: () => ({ balances: [ether, ...tokens] }) },
      config: { networks },
    })
    connectOthers(app, namespaces)
    prepare?.(app)
    await untilStill()
    const dialog = page.getByRole('dialog')
    if (prepare === loseRecovery)
      await expect.element(dialog.getByText('Only on this device')).toBeVisible()
    if (prepare === offerFurther)
      await expect
        .element(dialog.getByRole('button', { name: 'Also connect Polkadot' }))
        .toBeVisible()
    await page.viewport(1280, 800)
    await expectPlaced('1280 × 800')
    const out = dialog.getByRole('button', { name: 'Disconnect', exact: true })
    await expect.poll(() => isInSight(out.element())).toBe(true)
    const last = dialog.getByRole('button', { name: /Willow/ })
    await expect.element(last).toBeVisible()
    const getTop = (element?: Element | null) => element?.getBoundingClientRect().top ?? 0
    const getMenuTop = () => getTop(out.element().parentElement)
    await expect
      .poll(() => getMenuTop() - last.element().getBoundingClientRect().bottom)
      .toBeGreaterThanOrEqual(0)
    expect(isInSight(last.element())).toBe(true)
    // Nor does the menu leave at the end of the list.
    getCard().lastElementChild?.scrollTo(0, 10_000)
    await expect.poll(() => isInSight(out.element())).toBe(true)
  },
)
