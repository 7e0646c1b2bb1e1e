import { type App, disconnect, request } from '@latchkey/core'
import {
  addressOf,
  bipPath,
  createReplay,
  device,
  type Exchange,
  failing,
  livePath,
  mailJson,
  messageSigned,
  status,
} from '@latchkey/core/testing'
import { type Hex, stringToHex, verifyMessage } from 'viem'
import { describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider } from '../../src/index.ts'
import { ledger } from '../../src/ledger.ts'
import '../../src/theme.css'
import { createFakeHid } from '../fakes/fakeHid.ts'
import { bob, testApp } from '../testApp.ts'
import { violations } from '../violations.ts'

const dialog = () => page.getByRole('dialog')
const button = (name: string | RegExp) => dialog().getByRole('button', { name })
const own = addressOf(livePath(0))
/** Further accounts, whose addresses do not matter. */
const others = [1, 2, 3, 4].map((index) => addressOf(livePath(index), `0x${`${index}`.repeat(40)}`))

async function show(...exchanges: readonly Exchange[]) {
  const replay = createReplay(...exchanges)
  const { openTransport } = replay
  const app = testApp({ wallets: { connectors: [ledger({ openTransport })] } })
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  return { app, ...replay }
}

async function open(...exchanges: readonly Exchange[]) {
  const shown = await show(...exchanges)
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await button('Ledger').click()
  return shown
}

const getAccount = (app: App) => {
  const { eip155 } = app.store.getState().connections
  return eip155.status === 'connected' ? eip155.account : undefined
}

performance.setResourceTimingBufferSize(10_000)
/**
 * The files of the connector that the page has loaded, without the part that the app's config
 * needs. Other tests in the same page load the views of all wallets, so those don't count.
 */
const getLoaded = () =>
  performance.getEntriesByType('resource').filter(({ name }) => /hw-app-eth|openLedger/.test(name))

test('behavior: nothing of it is loaded before it is chosen', async () => {
  await show(own, ...others)
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await expect.element(button('Ledger Device')).toBeVisible()
  expect(getLoaded()).toEqual([])
  await button('Ledger').click()
  await expect.element(button('Account 5')).toBeVisible()
  expect(getLoaded().length).toBeGreaterThan(1)
})

describe('choosing an account', () => {
  test('default: five of either numbering, more on demand, and a click connects', async () => {
    const { app, left, add } = await open(own, ...others)
    await expect.element(button('Account 5')).toBeVisible()
    await expect.element(button('Account 1')).toHaveTextContent('0xf3…b92266')
    expect(await violations()).toEqual([])
    add(
      ...[1, 2, 3, 4].map((index) =>
        addressOf(bipPath(index), index === 1 ? bob : `0x${`a${index}`.repeat(20)}`),
      ),
    )
    await dialog().getByRole('tab', { name: 'BIP-44' }).click()
    await expect.element(button('Account 5')).toBeVisible()
    add(...[5, 6, 7, 8, 9].map((index) => addressOf(bipPath(index), `0x${`b${index}`.repeat(20)}`)))
    await button('Show more').click()
    await expect.element(button('Account 10')).toBeVisible()
    await button('Account 2').click()
    await expect.element(dialog()).not.toBeInTheDocument()
    expect(getAccount(app)).toMatchObject({ address: bob, path: bipPath(1) })
    expect(left()).toBe('')
    await disconnect(app)
  })

  test('error: a locked device, then another app, then an unlocked device', async () => {
    const { app } = await open(
      failing(own, status.locked),
      failing(own, status.otherApp),
      own,
      ...others,
    )
    await expect.element(dialog().getByRole('alert')).toHaveTextContent('The Ledger is locked')
    expect(await violations()).toEqual([])
    await button('Try again').click()
    await expect.element(dialog().getByRole('alert')).toHaveTextContent('Open the Ethereum app')
    await button('Try again').click()
    await button('Account 1').click()
    await expect.element(dialog()).not.toBeInTheDocument()
    expect(getAccount(app)?.address).toBe(device.address)
  })

  test('error: it is locked while accounts are read, and reading continues afterwards', async () => {
    const [first, ...rest] = others
    await open(own, failing(first as Exchange, status.locked), first as Exchange, ...rest)
    await expect.element(dialog().getByRole('alert')).toHaveTextContent('The Ledger is locked')
    await button('Try again').click()
    await expect.element(button('Account 5')).toBeVisible()
  })
})

describe('by WebHID', () => {
  const setHid = (hid: object | undefined) =>
    vi.spyOn(navigator as Navigator & { hid: object }, 'hid', 'get').mockReturnValue(hid as object)

  async function openList() {
    const app = testApp({ wallets: { connectors: [ledger()] } })
    await render(
      <LatchkeyProvider app={app}>
        <ConnectButton />
      </LatchkeyProvider>,
    )
    await page.getByRole('button', { name: 'Connect wallet' }).click()
    await button('Ledger').click()
    return app
  }

  test('default: the device is chosen in the click, and closed after each use', async () => {
    const replay = createReplay(own, ...others)
    const hid = createFakeHid(replay)
    setHid(hid)
    const app = await openList()
    await button('Account 5').click()
    await expect.element(dialog()).not.toBeInTheDocument()
    expect(getAccount(app)).toMatchObject({ path: livePath(4) })
    expect(hid.log).toEqual(['chosen in a click', ...Array(5).fill(['open', 'close']).flat()])
    expect(replay.left()).toBe('')
  })

  test('error: nothing is chosen, then it is unplugged, then all is well', async () => {
    const replay = createReplay(own, ...others)
    const hid = createFakeHid(replay)
    setHid(hid)
    hid.isRefused = true
    await openList()
    const alert = dialog().getByRole('alert')
    await expect.element(alert).toHaveTextContent('No Ledger was chosen')
    hid.isRefused = false
    const replayNow = replay.store.replayExchange
    replay.store.replayExchange = () => {
      hid.unplug()
      replay.store.replayExchange = replayNow
      return new Promise(() => {}) as never
    }
    await button('Try again').click()
    await expect.element(alert).toHaveTextContent('The Ledger is not connected')
    await button('Try again').click()
    await expect.element(button('Account 1')).toBeVisible()
  })
})

test('error: a browser without access to devices shows an error and a way back', async () => {
  const hid = vi.spyOn(navigator as Navigator & { hid: object }, 'hid', 'get')
  hid.mockReturnValue(undefined as never)
  await render(
    <LatchkeyProvider app={testApp({ wallets: { connectors: [ledger()] } })}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await button('Ledger').click()
  const alert = dialog().getByRole('alert')
  await expect.element(alert).toHaveTextContent('This browser cannot reach Ledger')
  expect(await violations()).toEqual([])
  await button('Choose another wallet').click()
  await expect.element(button('Ledger')).toBeVisible()
  hid.mockRestore()
})

describe('reviews', () => {
  async function openConnected() {
    const shown = await open(own, ...others)
    await button('Account 1').click()
    await expect.element(dialog()).not.toBeInTheDocument()
    await expect.poll(() => getAccount(shown.app)?.address).toBe(device.address)
    await expect.poll(shown.left).toBe('')
    const ask = (method: string, ...params: unknown[]) => {
      const answer = request(shown.app, { method, params })
      answer.catch(() => {})
      return answer
    }
    return { ...shown, ask }
  }

  test('default: a message is shown, then signed on the device', async () => {
    const { add, ask } = await openConnected()
    const message = 'Hello \u202e!'
    const raw = stringToHex(message)
    add(own, ...(await messageSigned(livePath(0), raw)))
    const answer = ask('personal_sign', raw, device.address)
    const shown = dialog().getByRole('region', { name: 'Message' })
    await expect.element(shown).toHaveTextContent('Hello \\u{202e}!')
    await expect.element(dialog()).toHaveTextContent(device.address)
    expect(await violations()).toEqual([])
    await button('Sign on device').click()
    const signature = (await answer) as Hex
    expect(await verifyMessage({ address: device.address, message, signature })).toBe(true)
    await expect.element(dialog()).not.toBeInTheDocument()
  })

  test('behavior: all fields of typed data with both hashes; refusing sends no request', async () => {
    const { ask } = await openConnected()
    const answer = ask('eth_signTypedData_v4', device.address, JSON.stringify(mailJson))
    const fields = dialog().getByRole('region', { name: 'Mail' }).getByRole('listitem')
    await expect
      .poll(() => fields.elements().map(({ textContent }) => textContent))
      .toEqual([`to${mailJson.message.to}`, 'contentsHello\\u{202e}!', 'marks[0]7', 'marks[1]9'])
    await expect.element(dialog().getByText('Domain hash')).toBeVisible()
    expect(await violations()).toEqual([])
    await button('Refuse').click()
    await expect(answer).rejects.toMatchObject({ code: 'USER_REJECTED' })
  })

  test('behavior: a permit without a limit, a number that the app chose and an access list are shown', async () => {
    const { ask } = await openConnected()
    const { domain, types } = mailJson
    const Permit = [
      { name: 'spender', type: 'address' },
      { name: 'value', type: 'uint256' },
    ]
    const message = { spender: bob, value: `0x${'f'.repeat(64)}` }
    const permit = { domain, types: { ...types, Permit }, primaryType: 'Permit', message }
    const unlimited = ask('eth_signTypedData_v4', device.address, JSON.stringify(permit))
    const warnings = dialog().getByRole('list', { name: 'Warnings' })
    await expect.element(warnings).toHaveTextContent('take as much as it wants')
    await expect.element(button('Sign anyway')).toBeVisible()
    await button('Refuse').click()
    await expect(unlimited).rejects.toMatchObject({ code: 'USER_REJECTED' })
    const accessList = [{ address: bob, storageKeys: [] }]
    const transaction = { from: device.address, to: bob, value: '0x1', gas: '0x9999' }
    const chosen = ask('eth_sendTransaction', { ...transaction, nonce: '0xfff', accessList })
    await expect.element(warnings).toHaveTextContent('The app chose 4,095')
    const list = dialog().getByRole('region', { name: 'Contracts and slots it reads' })
    await expect.element(list).toHaveTextContent(bob)
    expect(await violations()).toEqual([])
    await button('Refuse').click()
    await expect(chosen).rejects.toMatchObject({ code: 'USER_REJECTED' })
  })

  test('behavior: warns of an allowance without a limit, and of unreadable data', async () => {
    const { ask } = await openConnected()
    const data = `0x095ea7b3${bob.slice(2).toLowerCase().padStart(64, '0')}${'f'.repeat(64)}`
    const unlimited = ask('eth_sendTransaction', { from: device.address, to: bob, data })
    const warnings = dialog().getByRole('list', { name: 'Warnings' })
    await expect.element(warnings).toHaveTextContent('take as much as it wants')
    await expect.element(dialog().getByRole('region', { name: 'approve' })).toHaveTextContent(bob)
    expect(await violations()).toEqual([])
    await expect.element(button('Sign anyway')).toBeVisible()
    await button('Refuse').click()
    await expect(unlimited).rejects.toMatchObject({ code: 'USER_REJECTED' })
    const unread = ask('eth_sendTransaction', { from: device.address, to: bob, data: '0x12345678' })
    await expect.element(warnings).toHaveTextContent('cannot read')
    await button('Refuse').click()
    await expect(unread).rejects.toMatchObject({ code: 'USER_REJECTED' })
  })
})
