import {
  connect,
  goBack,
  openModal,
  setTheme,
  switchNetwork,
  watchActivity,
} from '@latchkey/core/internal'
import type { Nft, NftDetail } from '@latchkey/wire'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider, NftList } from '../src/index.ts'
import '../src/theme.css'
import { createFakeSockets } from './fakes/fakeSocket.ts'
import { refuse } from './fakes/fakeWallet.ts'
import { alice, announce, bob, createFakeWallet, type FakeWallet, testApp } from './testApp.ts'
import { violations } from './violations.ts'

const pictures = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const items = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'
const carol = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

const picture = (tokenId: string, more: Partial<Nft> = {}): Nft => ({
  address: `eip155:31337:${pictures}`,
  tokenId,
  standard: 'erc721',
  quantity: '1',
  name: `Picture ${tokenId}`,
  collection: { name: 'Pictures', symbol: 'PIC' },
  imageUrl: null,
  metadata: 'ready',
  isSpam: false,
  ...more,
})
const item: Nft = {
  ...picture('2'),
  address: `eip155:31337:${items}`,
  standard: 'erc1155',
  quantity: '12',
  name: 'Lantern',
  collection: { name: 'Items', symbol: null },
}
const detailed = (nft: Nft): NftDetail => ({
  ...nft,
  description: 'A lantern that never goes out.',
  externalUrl: null,
  attributes: [
    { name: 'Rarity', value: 'Common' },
    { name: 'Weight', value: '12' },
    { name: 'Rarity', value: 'Common' },
  ],
})

/** The server's NFTs: the list may change while the test runs. */
type Holdings = { nfts: readonly Nft[]; next?: Record<string, readonly Nft[]> }

const answersOf = (held: Holdings) => (url: URL) => {
  if (url.pathname.endsWith('/nfts')) {
    const cursor = url.searchParams.get('cursor')
    const data = cursor ? (held.next?.[cursor] ?? []) : held.nfts
    return { data, next: !cursor && held.next ? (Object.keys(held.next)[0] ?? null) : null }
  }
  const one = /\/v1\/nft\/[^/]+\/(0x\w+)\/(\d+)$/.exec(decodeURIComponent(url.pathname))
  if (!one) return undefined
  const found = held.nfts.find(
    ({ address, tokenId }) => address.endsWith(one[1] ?? '') && tokenId === one[2],
  )
  return found ? detailed(found) : new Response('', { status: 404 })
}

/** The chain's record of owners, in the encoding of the node's `eth_call`. */
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`

let wallet: FakeWallet
let silence: () => void
beforeEach(() => {
  wallet = createFakeWallet()
  silence = announce([{ name: 'Fieldwork', wallet }])
})
afterEach(() => silence())

type Answers = Parameters<typeof testApp>[1]
type Environment = Parameters<typeof testApp>[2]

async function connectTo(held: Holdings, answers: Answers = {}, environment: Environment = {}) {
  const app = testApp({}, { other: answersOf(held), ...answers }, environment)
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  await connect(app, { connectorId: app.store.getState().connectors[0]?.id ?? '' })
  return app
}

async function show(held: Holdings, answers?: Answers) {
  const app = await connectTo(held, answers)
  openModal(app, { view: { name: 'Account', tab: 'nfts' } })
  return app
}

const dialog = () => page.getByRole('dialog')
const button = (name: string | RegExp) => dialog().getByRole('button', { name })

describe('NftsTab', () => {
  test('default', async () => {
    await show({ nfts: [picture('1'), item, picture('3', { name: null })] })
    await expect.element(button('Picture 1 Pictures')).toBeVisible()
    await expect.element(button('Lantern Items 12 items')).toBeVisible()
    await expect.element(button('Pictures #3 Pictures')).toBeVisible()
    expect(await violations()).toEqual([])
  })

  test('behavior: spam is shown only on request', async () => {
    await show({ nfts: [picture('1'), picture('2', { isSpam: true, name: 'You won' })] })
    await expect.element(button('Picture 1 Pictures')).toBeVisible()
    await expect.element(button(/You won/)).not.toBeInTheDocument()
    await button('Show 1 hidden').click()
    await expect.element(button(/You won Pictures Looks like spam/)).toBeVisible()
    await button('Hide likely spam').click()
    await expect.element(button(/You won/)).not.toBeInTheDocument()
  })

  test('behavior: more are loaded when asked for, each is shown once', async () => {
    await show({ nfts: [picture('1')], next: { more: [picture('1'), picture('2')] } })
    await button('Load more').click()
    await expect.element(button('Picture 2 Pictures')).toBeVisible()
    expect(dialog().getByRole('listitem').elements().length).toBe(2)
    await expect.element(button('Load more')).not.toBeInTheDocument()
  })

  test('behavior: what changes during the first load is shown', async () => {
    const { webSocket, send } = createFakeSockets()
    const held: Holdings = { nfts: [picture('1')] }
    let answer: (() => void) | undefined
    const other = async (url: URL) => {
      const said = answersOf(held)(url)
      if (url.pathname.endsWith('/nfts') && !answer)
        await new Promise<void>((resolve) => {
          answer = resolve
        })
      return said
    }
    const app = await connectTo(held, { other }, { webSocket })
    let told = 0
    const stop = watchActivity(app, () => {
      told += 1
    })
    // The first read after the socket opens.
    await expect.poll(() => told).toBe(1)
    openModal(app, { view: { name: 'Account', tab: 'nfts' } })
    await expect.poll(() => answer).toBeDefined()
    held.nfts = [picture('1'), picture('2')]
    send({ type: 'changed', chainId: 'eip155:31337' })
    await expect.poll(() => told).toBe(2)
    answer?.()
    await expect.element(button('Picture 2 Pictures')).toBeVisible()
    stop()
  })

  test('behavior: a page of nothing but spam is not the end, and not a dead button', async () => {
    const junk = (tokenId: string) => picture(tokenId, { isSpam: true, name: `You won ${tokenId}` })
    await show({ nfts: [junk('1')], next: { more: [junk('2'), picture('3')] } })
    await expect.element(button('Picture 3 Pictures')).toBeVisible()
    await expect.element(button('Show 2 hidden')).toBeVisible()
  })

  test('behavior: all of it hidden', async () => {
    await show({ nfts: [picture('1', { isSpam: true })] })
    await expect.element(dialog().getByText('Everything here looks like spam')).toBeVisible()
    await button('Show 1 hidden').click()
    await expect.element(button('Picture 1 Pictures')).toBeVisible()
  })

  test('behavior: nothing yet', async () => {
    await show({ nfts: [] })
    await expect.element(dialog().getByText('No NFTs yet')).toBeVisible()
    expect(await violations()).toEqual([])
  })

  test('behavior: metadata that is being fetched is polled', async () => {
    const held = { nfts: [picture('1', { name: null, metadata: 'pending' as const })] }
    await show(held)
    await expect.element(button('Pictures #1 Pictures')).toBeVisible()
    held.nfts = [picture('1')] as typeof held.nfts
    await expect.element(button('Picture 1 Pictures')).toBeVisible()
  })

  test('behavior: a picture of another server is never requested, and a picture that fails is replaced', async () => {
    const own = `${location.origin}/no-such-image`
    await show({
      nfts: [
        picture('1', { imageUrl: 'https://elsewhere.example/pixel.png' }),
        picture('2', { imageUrl: own }),
      ],
    })
    await expect.element(button('Picture 1 Pictures')).toBeVisible()
    const marks = () => dialog().element().querySelectorAll('[data-state="mark"]').length
    await expect.poll(marks).toBe(2)
    expect(dialog().element().innerHTML).not.toContain('elsewhere')
  })

  test('error: says so and tries again', async () => {
    let isDown = true
    const held = answersOf({ nfts: [picture('1')] })
    await show(
      { nfts: [] },
      {
        other: (url) =>
          isDown && url.pathname.endsWith('/nfts') ? new Response('', { status: 400 }) : held(url),
      },
    )
    await expect.element(dialog().getByText('NFTs could not be loaded')).toBeVisible()
    isDown = false
    await button('Try again').click()
    await expect.element(button('Picture 1 Pictures')).toBeVisible()
  })
})

describe('NftList', () => {
  /** A page with a strip of NFTs, which loads once `loading` has ended. */
  async function showStrip(held: Holdings, loading?: Promise<void>) {
    const chosen: unknown[] = []
    const other = async (url: URL) => {
      if (url.pathname.endsWith('/nfts')) await loading
      return answersOf(held)(url)
    }
    const app = testApp({}, { other })
    await render(
      <LatchkeyProvider app={app}>
        <main data-lk-theme="dark" style={{ background: 'var(--lk-surface)' }}>
          <h1>Portfolio</h1>
          <h2>NFTs</h2>
          <NftList look="strip" onChoose={(nft) => chosen.push(nft)} />
        </main>
      </LatchkeyProvider>,
    )
    await connect(app, { connectorId: app.store.getState().connectors[0]?.id ?? '' })
    return chosen
  }

  test('param: look: a strip by collection, with the number of each and without spam', async () => {
    await page.viewport(320, 640)
    document.documentElement.dir = 'rtl'
    const six = ['1', '2', '3', '4', '5', '6'].map((id) => picture(id))
    const spam = picture('9', { isSpam: true, name: 'You won' })
    const chosen = await showStrip({ nfts: [...six, item, spam] })
    await expect.element(page.getByRole('heading', { name: 'Pictures 6' })).toBeVisible()
    await expect.element(page.getByRole('heading', { name: 'Items 1' })).toBeInTheDocument()
    await expect.element(page.getByText('You won')).not.toBeInTheDocument()
    const strip = page.getByRole('list', { name: 'NFTs', exact: true }).element()
    expect(strip.scrollWidth).toBeGreaterThan(strip.clientWidth)
    const { scrollWidth, clientWidth } = document.documentElement
    expect(scrollWidth).toBe(clientWidth)
    expect(await violations()).toEqual([])
    // Focus brings the last picture into view.
    page.getByRole('button', { name: 'Lantern 12 items' }).element().focus()
    await expect.poll(() => Math.abs(strip.scrollLeft)).toBeGreaterThan(0)
    await userEvent.keyboard('{Enter}')
    expect(chosen).toEqual([{ chainId: 'eip155:31337', contract: items, tokenId: '2' }])
  })

  test('behavior: a strip loads no more than a page with something visible', async () => {
    await showStrip({ nfts: [picture('1')], next: { more: [picture('2')] } })
    await expect.element(page.getByRole('heading', { name: 'Pictures 1+' })).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Load more' })).not.toBeInTheDocument()
  })

  test('behavior: after a page of nothing but spam, a strip loads the next', async () => {
    const spam = picture('1', { isSpam: true })
    await showStrip({ nfts: [spam], next: { more: [picture('2'), picture('3')] } })
    await expect.element(page.getByRole('heading', { name: 'Pictures 2' })).toBeVisible()
  })

  test.each<[string, Nft[], string | undefined]>([
    ['loads', [picture('1')], 'Pictures 1'],
    ['is empty', [], undefined],
  ])('behavior: a strip that %s has the height that it had before', async (_, nfts, heading) => {
    let load = () => {}
    const loading = new Promise<void>((resolve) => {
      load = resolve
    })
    await showStrip({ nfts }, loading)
    const height = () => document.querySelector('main')?.getBoundingClientRect().height
    await expect.poll(() => document.querySelector('main [data-waits]')).not.toBeNull()
    const before = height()
    load()
    const loaded = heading
      ? page.getByRole('heading', { name: heading, exact: true })
      : page.getByText('No NFTs yet')
    await expect.element(loaded).toBeVisible()
    expect(height()).toBe(before)
  })
})

describe('NftDetail', () => {
  test('default', async () => {
    await show({ nfts: [item] })
    await button(/Lantern/).click()
    await expect.element(dialog().getByRole('heading', { name: 'Lantern' })).toBeVisible()
    await expect.element(dialog().getByText('A lantern that never goes out.')).toBeVisible()
    expect(dialog().getByRole('term').elements().length).toBe(2)
    await expect.element(button('Copy Contract 0xe7…3F0512')).toBeVisible()
    await expect.element(button('Copy Token ID 2')).toBeVisible()
    expect(await violations()).toEqual([])
  })

  test('param: light, right to left, 390 px', async () => {
    await page.viewport(390, 844)
    document.documentElement.dir = 'rtl'
    const app = await show({ nfts: [item] })
    setTheme(app, { mode: 'light' })
    await button(/Lantern/).click()
    await expect.element(dialog().getByRole('heading', { name: 'Lantern' })).toBeVisible()
    const { scrollWidth, clientWidth } = document.documentElement
    expect(scrollWidth).toBe(clientWidth)
    expect(await violations()).toEqual([])
  })

  test('behavior: an NFT that is no longer held cannot be sent', async () => {
    const app = await show({ nfts: [{ ...item, quantity: '0' }] })
    openModal(app, {
      view: { name: 'NftDetail', nft: { chainId: 'eip155:31337', contract: items, tokenId: '2' } },
    })
    await expect.element(dialog().getByText('This account no longer owns this NFT.')).toBeVisible()
    await expect.element(button('Send')).not.toBeInTheDocument()
  })

  test('error: unknown', async () => {
    const app = await show({ nfts: [] })
    openModal(app, {
      view: { name: 'NftDetail', nft: { chainId: 'eip155:31337', contract: items, tokenId: '9' } },
    })
    await expect.element(dialog().getByText('This NFT could not be loaded')).toBeVisible()
  })
})

describe('SendNft', () => {
  const rpc = (method: string) => {
    if (method === 'eth_call') return word(12n)
    if (method === 'eth_getCode') return '0x'
    if (method === 'eth_getBlockByNumber') return { number: '0x1', baseFeePerGas: '0x3b9aca00' }
    if (method === 'eth_getTransactionReceipt') return { status: '0x1' }
    if (method === 'eth_getBalance') return '0x21e19e0c9bab2400000'
    return '0x5208'
  }

  test('default', async () => {
    const app = await show({ nfts: [item] }, { rpc })
    await button(/Lantern/).click()
    await button('Send').click()
    await dialog().getByLabelText('Quantity').fill('13')
    await expect.element(button('Incorrect value')).toBeVisible()
    await dialog().getByLabelText('Quantity').fill('3')
    await dialog().getByLabelText('To', { exact: true }).fill(bob)
    await button('Review').click()
    await expect.element(dialog().getByText('3 × Lantern')).toBeVisible()
    await expect.element(dialog().getByText(bob)).toBeVisible()
    expect(await violations()).toEqual([])
    const said: (string | undefined)[] = []
    app.store.subscribe(({ toast }) => said.push(toast?.message))
    await button('Send').click()
    await expect.element(dialog().getByText('Transfer complete')).toBeVisible()
    expect(said).toContain('Transaction started')
    const sent = wallet.calls.find(({ method }) => method === 'eth_sendTransaction')
    expect(sent).toBeDefined()
    const [transaction] = (sent?.params ?? []) as { to: string; value: string; data: string }[]
    const { to, value, data = '' } = transaction ?? {}
    expect({ to, value }).toEqual({ to: items, value: '0x0' })
    // safeTransferFrom(address,address,uint256,uint256,bytes): id 2, amount 3.
    expect(data.slice(0, 10)).toBe('0xf242432a')
    expect(BigInt(`0x${data.slice(10 + 128, 10 + 192)}`)).toBe(2n)
    expect(BigInt(`0x${data.slice(10 + 192, 10 + 256)}`)).toBe(3n)
  })

  test('behavior: declining sends nothing and keeps what was typed', async () => {
    wallet.answers.eth_sendTransaction = () => refuse()
    await show({ nfts: [item] }, { rpc })
    await button(/Lantern/).click()
    await button('Send').click()
    await dialog().getByLabelText('To', { exact: true }).fill(bob)
    await button('Review').click()
    await button('Send').click()
    await expect
      .element(dialog().getByText('You declined the transfer. Nothing was sent.'))
      .toBeVisible()
    await button('Back').click()
    await expect.element(dialog().getByLabelText('To', { exact: true })).toHaveValue(bob)
  })

  test('behavior: another network empties the form and sends nothing', async () => {
    const app = await show({ nfts: [item] }, { rpc })
    await button(/Lantern/).click()
    await button('Send').click()
    await dialog().getByLabelText('Quantity').fill('3')
    await dialog().getByLabelText('To', { exact: true }).fill(bob)
    await button('Review').click()
    await expect.element(button('Send')).toBeVisible()
    await switchNetwork(app, { chainId: 'eip155:31338' })
    await expect.element(dialog().getByText('The form is not complete')).toBeVisible()
    await button('Back to the form').click()
    await expect.element(dialog().getByText(/This NFT is on another network/)).toBeVisible()
    await switchNetwork(app, { chainId: 'eip155:31337' })
    await expect.element(dialog().getByLabelText('To', { exact: true })).toHaveValue('')
    await expect.element(dialog().getByLabelText('Quantity')).toHaveValue('1')
    goBack(app)
    await expect.element(dialog().getByRole('heading', { name: 'Lantern' })).toBeVisible()
  })

  test('error: an NFT that cannot be loaded', async () => {
    const app = await show({ nfts: [] })
    const nft = { chainId: 'eip155:31337', contract: items, tokenId: '9' } as const
    openModal(app, { view: { name: 'SendNft', nft } })
    await expect.element(dialog().getByText('This NFT could not be loaded')).toBeVisible()
    openModal(app, {
      view: { name: 'SendNftPreview', nft, amount: '1', receiver: { address: bob } },
    })
    await expect.element(dialog().getByText('This NFT could not be loaded')).toBeVisible()
  })

  test('behavior: warns of a contract, the user’s own address and an address without an owner', async () => {
    await show(
      { nfts: [item] },
      { rpc: (method) => (method === 'eth_getCode' ? '0x6001' : rpc(method)) },
    )
    await button(/Lantern/).click()
    await button('Send').click()
    const receiver = dialog().getByLabelText('To', { exact: true })
    await receiver.fill(alice)
    await expect.element(dialog().getByText('This is your own address.')).toBeVisible()
    await receiver.fill(`0x${'0'.repeat(40)}`)
    await expect.element(dialog().getByText(/No one controls this address/)).toBeVisible()
    await expect.element(button('Check receiver')).toBeVisible()
    await receiver.fill(items)
    await expect.element(dialog().getByText(/the address of a token/)).toBeVisible()
    await expect.element(button('Check receiver')).toBeVisible()
    await receiver.fill(carol)
    await button('Review').click()
    await expect.element(dialog().getByText(/The receiver is a contract/)).toBeVisible()
  })

  test('error: it is no longer held', async () => {
    await show(
      { nfts: [item] },
      { rpc: (method) => (method === 'eth_call' ? word(0n) : rpc(method)) },
    )
    await button(/Lantern/).click()
    await button('Send').click()
    await dialog().getByLabelText('To', { exact: true }).fill(bob)
    await button('Review').click()
    await expect.element(dialog().getByText('This account no longer owns this NFT.')).toBeVisible()
  })
})
