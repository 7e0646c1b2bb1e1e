import { connect, openModal } from '@latchkey/core'
import { domainSeparator, encodeAbiParameters, encodeFunctionData, parseAbi } from 'viem'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider } from '../src/index.ts'
import '../src/theme.css'
import { refuse } from './fakes/fakeWallet.ts'
import { alice, announce, createFakeWallet, type FakeWallet, testApp } from './testApp.ts'
import { violations } from './violations.ts'

const chainId = 'eip155:31337'
const router = '0x0d8694f47cdc22bb8c6d2668a38d07a439f378f9'
const wrapped = '0x700b6a60ce7eaaea56f065753d8dcb9653dbad35'
const native = `${chainId}:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee`
/** The dollar that the test account holds, and a token that it does not. */
const dollar = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
const gold = '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0'
const stranger = '0xcf7ed3acca5a467e9e704c703e8d87f632fbdc99'
const abi = parseAbi([
  'function multicall(uint256 deadline, bytes[] data)',
  'function swapExactTokensForTokens(uint256, uint256, address[], address)',
])

/**
 * The server's data: `output` per unit of 10^12 of the paid amount, and the other data that a test
 * sets.
 */
type World = {
  output: bigint
  impact: string
  allowance: bigint
  takesPermit?: boolean
  refusal?: string
  /** The base fee of the latest block and the priority fee; undefined: no node answers. */
  baseFee?: string
  areas: boolean
  /** Prices of ether and gold in dollars, if known. */
  prices?: readonly [number, number]
  /** The account holds no ether. */
  hasNoGas?: boolean
  /** The status of transactions: `0x1`, `0x0`, or undefined while pending. */
  status?: '0x1' | '0x0' | undefined
}
let world: World
let wallet: FakeWallet
let silence: () => void
beforeEach(() => {
  world = {
    ...{ output: 2_000n, impact: '0.1', allowance: 0n, areas: true },
    ...{ baseFee: '0x3b9aca00', status: '0x1' },
  }
  wallet = createFakeWallet()
  silence = announce([{ name: 'Fieldwork', wallet }])
})
afterEach(() => silence())

const token = (symbol: string, address: string, decimals: number) => ({
  name: `Test ${symbol}`,
  symbol,
  address: address === native ? native : `${chainId}:${address}`,
  decimals,
  logoUri: null,
  eip2612: null,
})
const listed = [token('ETH', native, 18), token('TUSD', dollar, 6), token('GOLD', gold, 6)]

const refusal = (description: string) =>
  new Response(JSON.stringify({ reasons: [{ field: '', description }] }), { status: 400 })

const getQuote = ({ from, to, amount }: Record<string, string>) => {
  const output = (BigInt(amount ?? 0) * world.output) / 10n ** 12n
  return {
    id: null,
    fromAmount: amount,
    fromAccount: from,
    toAmount: String(output),
    toAccount: to,
    fee: '0.3',
    priceImpact: world.impact,
    route: [
      { percent: 70, tokens: [from, to], exchanges: ['Uniswap V2 0.3%'] },
      {
        percent: 30,
        tokens: [from, `${chainId}:${wrapped}`, to],
        exchanges: ['Uniswap V3 0.05%'],
      },
    ],
  }
}

async function other(url: URL) {
  const query = Object.fromEntries(url.searchParams)
  switch (url.pathname) {
    case '/v1/supported-chains': {
      const swap = { on: world.areas, source: '', kind: 'uniswap' }
      return {
        http: [chainId],
        ws: [],
        features: { [chainId]: { swap, balance: { on: true, source: '' } } },
      }
    }
    case '/v1/convert/tokens':
      if (query.address === undefined) return { tokens: listed }
      return query.address.endsWith(stranger)
        ? { tokens: [token('FAKE', stranger, 6)] }
        : { tokens: [] }
    case '/v1/convert/quotes':
      return world.refusal ? refusal(world.refusal) : { quotes: [getQuote(query)] }
    case '/v1/fungible/price':
      return {
        fungibles: (world.prices ?? []).map((price, index) => ({
          ...{ name: '', symbol: '', iconUrl: '', decimals: 18, price },
          address: [native, `${chainId}:${gold}`][index],
        })),
      }
    default:
      return world.hasNoGas && url.pathname.endsWith('/balance')
        ? { balances: [holding('ETH', undefined, 18, '0'), holding('TUSD', dollar, 6, '1250.5')] }
        : undefined
  }
}

const holding = (
  symbol: string,
  address: string | undefined,
  decimals: number,
  numeric: string,
) => ({
  ...{ name: symbol, symbol, chainId, iconUrl: '' },
  ...(address && { address: `${chainId}:${address}` }),
  quantity: { decimals: String(decimals), numeric },
})

/** The transaction that an honest server prepares. */
function prepare(body: Record<string, string>) {
  if (world.refusal) return refusal(world.refusal)
  const quote = getQuote(body)
  const expected = BigInt(quote.toAmount)
  const { slippage } = body.eip155 as unknown as { slippage: number }
  const minimum = (expected * BigInt(10_000 - slippage * 100) + 9_999n) / 10_000n
  const path = [body.from, body.to].map((id) =>
    id === native ? wrapped : (id?.split(':').at(-1) ?? ''),
  ) as `0x${string}`[]
  const args = [BigInt(body.amount ?? 0), minimum, path, alice] as const
  const data = encodeFunctionData({ abi, functionName: 'swapExactTokensForTokens', args })
  const deadline = BigInt(Math.floor(Date.now() / 1000) + 600)
  return {
    tx: {
      from: body.userAddress,
      to: `${chainId}:${router}`,
      data: encodeFunctionData({ abi, functionName: 'multicall', args: [deadline, [data]] }),
      amount: quote.toAmount,
      eip155: { gas: '200000', gasPrice: '1' },
      quote,
    },
  }
}

const hex = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`

/** The results of contracts: allowances, balances and decimals. */
function callContract(params: unknown) {
  const [{ data }] = params as [{ data: `0x${string}` }]
  if (world.takesPermit) {
    const domain = {
      name: 'Test',
      version: '1',
      chainId: 31_337,
      verifyingContract: dollar,
    } as const
    if (data === '0x06fdde03') return encodeAbiParameters([{ type: 'string' }], ['Test'])
    if (data === '0x3644e515') return domainSeparator({ domain })
    // Neither a version nor the hash of the type: tokens need not have them.
    if (data === '0x54fd4d50' || data === '0x30adf81f') return '0x'
  }
  if (data.startsWith('0xdd62ed3e')) return hex(world.allowance)
  if (data.startsWith('0x313ce567')) return hex(6n)
  return hex(10n ** 18n)
}

async function show(view: 'Swap' | 'Account' = 'Swap', area?: Storage, tabArea?: Storage) {
  const app = testApp({}, { other, rpc: answerNode }, { area, tabArea })
  const { fetch } = app.environment
  // The page's responses do not depend on the posted data.
  app.environment.fetch = async (input, init) => {
    if (!String(input).includes('/v1/convert/build-transaction')) return fetch(input, init)
    const answer = prepare(JSON.parse(String(init?.body)))
    return answer instanceof Response ? answer : new Response(JSON.stringify(answer))
  }
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  await connect(app, { connectorId: app.store.getState().connectors[0]?.id ?? '' })
  openModal(app, { view: { name: view } })
  return app
}

function answerNode(method: string, params: unknown) {
  switch (method) {
    case 'eth_call':
      return callContract(params)
    case 'eth_getCode':
      return '0x'
    case 'eth_getBalance':
      return '0x21e19e0c9bab2400000'
    case 'eth_estimateGas':
      return '0x30d40'
    case 'eth_gasPrice':
    case 'eth_maxPriorityFeePerGas':
      return '0x3b9aca00'
    case 'eth_getBlockByNumber':
      if (world.baseFee === undefined) throw new Error('no node answers')
      return { number: '0x1', baseFeePerGas: world.baseFee, timestamp: '0x1', transactions: [] }
    case 'eth_getTransactionReceipt': {
      world.allowance = 10n ** 18n
      const [transactionHash] = params as string[]
      const { status } = world
      return status ? { transactionHash, status, blockNumber: '0x1', logs: [] } : null
    }
    default:
      return null
  }
}

const dialog = () => page.getByRole('dialog')
const button = (name: string | RegExp) => dialog().getByRole('button', { name, exact: true })
const amount = () => dialog().getByLabelText('You pay', { exact: true })

async function choose(side: 'pay with' | 'receive', name: RegExp) {
  await dialog()
    .getByRole('button', { name: new RegExp(`^Token to ${side}`) })
    .click()
  await dialog().getByRole('button', { name }).click()
}

async function expectFee() {
  await expect.element(dialog().getByText('Pool fee')).toBeVisible()
  await expect.element(dialog().getByText(/^0\.3%/)).toBeVisible()
}

/** A complete form: ETH for GOLD. */
async function fill(typed = '1') {
  const app = await show()
  await choose('receive', /GOLD/)
  await amount().fill(typed)
  return app
}

describe('Swap', () => {
  test('default: the account leads to it, and the button says what is missing', async () => {
    await show('Account')
    await button('Swap').click()
    await expect.element(button('Select token')).toBeVisible()
    expect(await violations()).toEqual([])
    await choose('receive', /GOLD/)
    await expect.element(button('Enter amount')).toBeVisible()
    for (const [typed, label] of [
      ['0', 'Incorrect value'],
      ['1.2.3', 'Incorrect value'],
      ['99999999', 'Insufficient balance'],
      ['1', 'Review swap'],
    ] as const) {
      await amount().fill(typed)
      await expect.element(button(label)).toBeVisible()
    }
    await expect.element(dialog().getByText('2,000', { exact: true })).toBeVisible()
    await expect.element(dialog().getByText(/^Updated/)).toBeVisible()
    await dialog().getByText('1 ETH = 2,000 GOLD').click()
    await expect.element(dialog().getByText('0.1%')).toBeVisible()
    await expectFee()
    await expect.element(dialog().getByText('Uniswap V2 0.3%')).toBeVisible()
    await expect.element(dialog().getByText('1,980 GOLD')).toBeVisible()
    expect(await violations()).toEqual([])
  })

  test('behavior: the two tokens change places, and a token chosen on the other side too', async () => {
    await fill()
    await button('Switch the two tokens').click()
    await expect.element(button('Token to pay with: GOLD')).toBeVisible()
    await expect.element(button('Token to receive: ETH')).toBeVisible()
    await choose('receive', /GOLD/)
    await expect.element(button('Token to pay with: ETH')).toBeVisible()
    await expect.element(button('Token to receive: GOLD')).toBeVisible()
  })

  test('behavior: the price is refetched automatically, and shows its age', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
    await fill()
    await expect.element(dialog().getByText('2,000', { exact: true })).toBeVisible()
    world.output = 2_100n
    vi.advanceTimersByTime(5_000)
    await expect.element(dialog().getByText('Updated 5 seconds ago')).toBeVisible()
    vi.advanceTimersByTime(5_000)
    await expect.element(dialog().getByText('2,100', { exact: true })).toBeVisible()
    await expect.element(dialog().getByText('Updated 0 seconds ago')).toBeVisible()
    await button('Review swap').click()
    await expect.element(dialog().getByText('2,079 GOLD')).toBeVisible()
    world.output = 2_200n
    vi.advanceTimersByTime(15_000)
    await expect.element(dialog().getByText('2,178 GOLD')).toBeVisible()
  })

  test('param: slippage: 1 % by default, with warnings if it is costly', async () => {
    const app = await fill()
    await dialog().getByText('1 ETH = 2,000 GOLD').click()
    await expect.element(dialog().getByLabelText('1%', { exact: true })).toBeChecked()
    await dialog().getByLabelText('3%', { exact: true }).click()
    await expect.element(dialog().getByText('1,940 GOLD')).toBeVisible()
    const own = dialog().getByLabelText('Custom, in percent')
    await own.fill('10')
    await expect
      .element(dialog().getByText('You may receive up to 10% less than shown.'))
      .toBeVisible()
    await own.fill('0.05')
    await expect.element(dialog().getByText(/may fail if the price moves a little/)).toBeVisible()
    await own.fill('51')
    await expect.element(dialog().getByText('Enter a number from 0 to 50.')).toBeVisible()
    expect(app.store.getState().swapDraft.slippage).toBe(0.05)
  })

  test('behavior: the most that can be swapped is found again for another token to receive, and a typed amount stays', async () => {
    const app = await fill('')
    await dialog()
      .getByRole('button', { name: /^Max: / })
      .click()
    await expect.poll(() => app.store.getState().swapDraft.isMax).toBe(true)
    const { amount: first } = app.store.getState().swapDraft
    world.baseFee = '0x77359400'
    await choose('receive', /TUSD/)
    await expect.element(button('Token to receive: TUSD')).toBeVisible()
    await expect.poll(() => app.store.getState().swapDraft.isMax).toBe(true)
    const { amount: second } = app.store.getState().swapDraft
    expect(Number(second)).toBeLessThan(Number(first))
    await expect.element(amount()).toHaveValue(second)
    await amount().fill('2')
    await choose('receive', /GOLD/)
    await expect.element(button('Review swap')).toBeVisible()
    await expect.element(amount()).toHaveValue('2')
  })

  test('error: the most that can be swapped cannot be found again for another token to receive', async () => {
    const app = await fill('')
    await dialog()
      .getByRole('button', { name: /^Max: / })
      .click()
    await expect.poll(() => app.store.getState().swapDraft.isMax).toBe(true)
    delete world.baseFee
    await choose('receive', /TUSD/)
    await expect.element(button('Enter amount')).toBeVisible()
    await expect.element(amount()).toHaveValue('')
  })

  test.each([
    [1280, 860],
    [1280, 720],
    [390, 844],
    [390, 667],
  ])(
    'behavior: at %i by %i pixels the button is in sight, and covers nothing that has the focus',
    async (width, height) => {
      await page.viewport(width, height)
      world.impact = '23.456'
      await fill()
      await expect.element(button('Review swap')).toBeInViewport({ ratio: 1 })
      await dialog().getByText('1 ETH = 2,000 GOLD').click()
      const own = dialog().getByLabelText('Custom, in percent')
      await expect.element(own).toBeVisible()
      await expect.element(button('Review swap')).toBeInViewport({ ratio: 1 })
      const foot = button('Review swap').element().parentElement as Element
      for (const field of [amount(), own]) {
        const element = field.element() as HTMLElement
        element.focus()
        const { bottom } = element.getBoundingClientRect()
        expect(bottom).toBeLessThan(foot.getBoundingClientRect().top)
      }
    },
  )

  test('error: insufficient liquidity, and what else the server refuses', async () => {
    world.refusal = 'Conversion parameter error: insufficient liquidity'
    await fill()
    await expect
      .element(dialog().getByText('Insufficient liquidity: this amount is too small or too large.'))
      .toBeVisible()
    // The same amount would fail again.
    await expect.element(button('No price')).toBeDisabled()
    await expect.element(button('Try again')).not.toBeInTheDocument()
    world.refusal = 'Chain ID eip155:31337 is not supported'
    await amount().fill('13')
    await expect.element(button('Try again')).toBeVisible()
    world.refusal = undefined as never
    await button('Try again').click()
    await expect.element(button('Review swap')).toBeVisible()
  })

  test('error: a network fee that the account cannot pay', async () => {
    world.hasNoGas = true
    await show()
    await choose('receive', /GOLD/)
    await amount().fill('12.5')
    await expect.element(button('Not enough ETH for the network fee')).toBeDisabled()
    expect(await violations()).toEqual([])
  })

  test('behavior: a loss at known prices is shown next to the price impact, with a warning if the impact does not explain it', async () => {
    world.impact = '4.5'
    // 2,000 GOLD for 1 ETH: a fifth is lost.
    world.prices = [2_000, 0.8]
    await fill()
    await dialog().getByText('1 ETH = 2,000 GOLD').click()
    await expect.element(dialog().getByText('Cost vs. market price')).toBeVisible()
    await expect.element(dialog().getByText('20%', { exact: true })).toBeVisible()
    await expect.element(dialog().getByText('4.5%', { exact: true })).toBeVisible()
    await expect.element(dialog().getByText(/you get 20% less than you pay/)).toBeVisible()
    await expect.element(dialog().getByText(/You’d lose/)).not.toBeInTheDocument()
    await button('Review swap').click()
    await expect.element(dialog().getByLabelText(/I may lose about 20%/)).toBeVisible()
    await expect.element(dialog().getByText('Cost vs. market price')).toBeVisible()
    expect(await violations()).toEqual([])
  })

  test('error: a network without swaps says so, and its account offers none', async () => {
    world.areas = false
    await show()
    await expect.element(dialog().getByText('Network not supported for Swaps')).toBeVisible()
    expect(await violations()).toEqual([])
  })
})

describe('SwapSelectToken', () => {
  test('default: own tokens first, then the lists; search by name', async () => {
    await show()
    await button('Token to receive: Select token').click()
    const rows = dialog().getByRole('listitem')
    await expect.element(dialog().getByText('Test GOLD')).toBeVisible()
    expect(rows.elements().map((row) => row.textContent?.slice(0, 5))).toEqual([
      'Ether',
      'Test ',
      'A coi',
      'Test ',
    ])
    expect(await violations()).toEqual([])
    await dialog().getByRole('searchbox').fill('gol')
    await expect.poll(() => rows.elements().length).toBe(1)
    await dialog().getByRole('searchbox').fill('nothing like it')
    await expect.element(dialog().getByText('No tokens found')).toBeVisible()
  })

  test('behavior: a pasted address is looked up, marked, and warned of until the swap', async () => {
    await show()
    await button('Token to receive: Select token').click()
    await dialog().getByRole('searchbox').fill(` ${stranger} `)
    await expect.element(dialog().getByText('Not listed')).toBeVisible()
    await expect.element(dialog().getByText(/FAKE is not on a token list/)).toBeVisible()
    expect(await violations()).toEqual([])
    await dialog().getByRole('button', { name: /FAKE/ }).click()
    await amount().fill('1')
    await expect.element(dialog().getByText(/FAKE is not on a token list/)).toBeVisible()
    await button('Review swap').click()
    await expect.element(dialog().getByText(/FAKE is not on a token list/)).toBeVisible()
  })

  test('behavior: a held token that no list names can be paid with', async () => {
    world.output = 10n ** 12n
    await show()
    await dialog()
      .getByRole('button', { name: /^Token to pay with/ })
      .click()
    await dialog().getByRole('searchbox').fill(stranger)
    await dialog().getByRole('button', { name: /FAKE/ }).click()
    await choose('receive', /GOLD/)
    await amount().fill('5')
    // The balance comes from the chain.
    await expect.element(dialog().getByText(/FAKE available/)).toBeVisible()
    await expect.element(button('Review swap')).toBeVisible()
    await amount().fill('1000000000001')
    await expect.element(button('Insufficient balance')).toBeVisible()
  })

  test('error: an address without a token', async () => {
    await show()
    await button('Token to receive: Select token').click()
    await dialog().getByRole('searchbox').fill(alice)
    await expect.element(dialog().getByText('There is no token at this address')).toBeVisible()
  })
})

describe('SwapPreview', () => {
  const open = async () => {
    const app = await fill()
    await button('Review swap').click()
    await expect.element(button('Swap')).toBeEnabled()
    return app
  }

  test('default: shows all that is signed, swaps and says what became of it', async () => {
    await open()
    await expect.element(dialog().getByText('1,980 GOLD')).toBeVisible()
    await expect.element(dialog().getByText('Latchkey One')).toBeVisible()
    await expect.element(dialog().getByText('What your wallet will ask for')).toBeVisible()
    await expectFee()
    expect(await violations()).toEqual([])
    await expect.element(dialog().getByText(/^Updated/)).toBeVisible()
    world.output = 2_100n
    await button('Refresh the price').click()
    await expect.element(dialog().getByText('2,079 GOLD')).toBeVisible()
    await button('Swap').click()
    await expect.element(dialog().getByText('Swap complete')).toBeVisible()
    const facts = [...document.querySelectorAll('dialog dl > div')]
    expect(facts.map(({ textContent }) => textContent)).toEqual([
      'Paid1 ETH',
      'Received≈ 2,100 GOLD',
    ])
    const sent = wallet.calls.filter(({ method }) => method === 'eth_sendTransaction')
    expect(sent).toMatchObject([{ params: [{ value: '0xde0b6b3a7640000' }] }])
    expect(await violations()).toEqual([])
  })

  test('behavior: an estimate shows six digits; the minimum, which is signed, shows all', async () => {
    await fill('0.1234567')
    const quoted = dialog().getByTitle('246.9134', { exact: true })
    await expect.element(quoted).toHaveTextContent(/^246\.913$/)
    await button('Review swap').click()
    const question = dialog().getByRole('heading', { level: 3 }).first()
    await expect.element(question).toHaveTextContent('Swap 0.1234567 ETH for about 246.913 GOLD?')
    for (const estimate of dialog().getByText('246.913 GOLD').all())
      await expect.element(estimate).toHaveAttribute('title', '246.9134')
    const minimum = dialog().getByText('244.444266 GOLD')
    await expect.element(minimum).toBeVisible()
    expect(minimum.element().getClientRects()).toHaveLength(1)
  })

  test('behavior: a token is allowed first, exactly, and then swapped', async () => {
    world.output = 10n ** 12n
    await show()
    await choose('pay with', /TUSD/)
    await choose('receive', /GOLD/)
    await amount().fill('12.5')
    await button('Review swap').click()
    await expect.element(dialog().getByText(/to spend exactly 12.5 TUSD/)).toBeVisible()
    await button('Allow and swap').click()
    await expect.element(dialog().getByText('Swap complete')).toBeVisible()
    expect(wallet.calls.filter(({ method }) => method === 'eth_sendTransaction')).toHaveLength(2)
  })

  test('behavior: any amount is allowed only to who chooses it, with a warning, and no longer than this review', async () => {
    world.output = 10n ** 12n
    await show()
    await choose('pay with', /TUSD/)
    await choose('receive', /GOLD/)
    await amount().fill('12.5')
    await button('Review swap').click()
    await dialog().getByText('How much the swap contract may spend').click()
    await expect.element(dialog().getByLabelText('Exactly this amount')).toBeChecked()
    expect(await violations()).toEqual([])
    await dialog().getByLabelText('Any amount, until I revoke it').click()
    await expect
      .element(dialog().getByText(/spend any amount of TUSD, now and later/))
      .toBeVisible()
    await expect.element(dialog().getByText(/it could take all your TUSD/)).toBeVisible()
    expect(await violations()).toEqual([])
    await button('Allow and swap').click()
    await expect.element(dialog().getByText('Swap complete')).toBeVisible()
    const [approval] = wallet.calls
      .filter(({ method }) => method === 'eth_sendTransaction')
      .map(({ params }) => (params as [{ data: string }])[0])
    expect(approval?.data.endsWith('f'.repeat(64))).toBe(true)
  })

  test('default: a token that takes a signature: the review says so, and a signature that is refused leads to a transaction', async () => {
    world.output = 10n ** 12n
    world.takesPermit = true
    await show()
    await choose('pay with', /TUSD/)
    await choose('receive', /GOLD/)
    await amount().fill('12.5')
    await button('Review swap').click()
    await expect
      .element(dialog().getByText(/^Sign to let the swap contract spend exactly 12.5 TUSD/))
      .toBeVisible()
    expect(await violations()).toEqual([])
    wallet.answers.eth_signTypedData_v4 = () => '0x1234'
    await button('Sign and swap').click()
    await expect.element(dialog().getByText(/will ask for a transaction instead/)).toBeVisible()
    await expect.element(dialog().getByText(/to spend exactly 12.5 TUSD/)).toBeVisible()
    expect(wallet.calls.some(({ method }) => method === 'eth_sendTransaction')).toBe(false)
    await button('Allow and swap').click()
    await expect.element(dialog().getByText('Swap complete')).toBeVisible()
  })

  test('error: a price that moved has to be accepted again', async () => {
    await open()
    world.output = 1_900n
    await button('Swap').click()
    await expect
      .element(dialog().getByText('The price moved. You would now receive about 1,900 GOLD.'))
      .toBeVisible()
    expect(wallet.calls.some(({ method }) => method === 'eth_sendTransaction')).toBe(false)
    await button('Accept new price').click()
    await button('Swap').click()
    await expect.element(dialog().getByText('Swap complete')).toBeVisible()
  })

  test('behavior: a thin pool: the price impact is said, and the swap has to be wanted anyway', async () => {
    world.impact = '23.456'
    // The impact and the fee of 0.3 % explain the loss.
    world.prices = [2_000, 0.764]
    await fill()
    await expect.element(dialog().getByText(/^You’d lose about 23.6% \(≈ \$472.00\)/)).toBeVisible()
    await button('Review swap').click()
    const consent = dialog().getByLabelText(/I may lose about 23.6%/)
    await expect.element(consent).toBeVisible()
    await expect.element(button('Swap')).toBeDisabled()
    expect(await violations()).toEqual([])
    await consent.click()
    await button('Swap').click()
    await expect.element(dialog().getByText('Swap complete')).toBeVisible()
  })

  test('error: declining keeps the review', async () => {
    wallet.answers.eth_sendTransaction = () => refuse()
    await open()
    await button('Swap').click()
    await expect.element(dialog().getByText('You declined. Nothing was swapped.')).toBeVisible()
    delete wallet.answers.eth_sendTransaction
    await button('Swap').click()
    await expect.element(dialog().getByText('Swap complete')).toBeVisible()
  })

  test('error: a swap that failed says so', async () => {
    world.status = '0x0'
    await open()
    await button('Swap').click()
    await expect.element(dialog().getByText('Swap failed')).toBeVisible()
    await expect
      .element(dialog().getByText(/Nothing was swapped, but the network fee/))
      .toBeVisible()
    expect(await violations()).toEqual([])
  })
})

describe('after a reload', () => {
  /** Swaps, and leaves the page before the end. */
  async function leave() {
    localStorage.clear()
    const app = await show('Swap', localStorage)
    await choose('receive', /GOLD/)
    await amount().fill('1')
    await button('Review swap').click()
    await expect.element(button('Swap')).toBeEnabled()
    await button('Swap').click()
    return async () => {
      app.destroy()
      await cleanup()
    }
  }
  afterEach(() => {
    localStorage.clear()
    sessionStorage.clear()
  })

  test('behavior: a form that was not sent is filled in again, and its price is fetched again', async () => {
    sessionStorage.clear()
    const app = await show('Swap', localStorage, sessionStorage)
    await choose('receive', /GOLD/)
    await amount().fill('1.25')
    await dialog().getByText('1 ETH = 2,000 GOLD').click()
    await dialog().getByLabelText('3%', { exact: true }).click()
    await expect.element(button('Review swap')).toBeEnabled()
    app.destroy()
    await cleanup()
    world.output = 3_000n
    await show('Swap', localStorage, sessionStorage)
    await expect.element(amount()).toHaveValue('1.25')
    await dialog().getByText('1 ETH = 3,000 GOLD').click()
    await expect.element(dialog().getByLabelText('3%', { exact: true })).toBeChecked()
    await button('Review swap').click()
    await expect.element(button('Swap')).toBeEnabled()
    await button('Swap').click()
    await expect.element(dialog().getByText('Swap complete')).toBeVisible()
    expect(sessionStorage.getItem('latchkey.swapDraft')).toBeNull()
  })

  test('behavior: a swap on its way is in the account and above the form, until its end was seen', async () => {
    world.status = undefined
    const close = await leave()
    await expect.element(dialog().getByText('Waiting for the network')).toBeVisible()
    await close()
    await show('Account', localStorage)
    const row = (text: string) => button(`1 ETH for GOLD ${text}`)
    await expect.element(row('Waiting for the network')).toBeVisible()
    expect(await violations()).toEqual([])
    await button('Swap').click()
    await row('Waiting for the network').click()
    await expect.element(dialog().getByText(/The swap is on its way/)).toBeVisible()
    world.status = '0x0'
    await expect.element(dialog().getByText('Swap failed')).toBeVisible()
    await button('Back').click()
    await expect.element(amount()).toBeVisible()
    await expect.element(dialog().getByText('1 ETH for GOLD')).not.toBeInTheDocument()
    expect(localStorage.getItem('latchkey.sentSwaps')).toBeNull()
  })

  test('behavior: a swap that no block ever takes can be hidden, and stays hidden', async () => {
    world.status = undefined
    const close = await leave()
    await expect.element(dialog().getByText('Waiting for the network')).toBeVisible()
    await close()
    const app = await show('Account', localStorage)
    await button('Hide this swap').click()
    await expect.element(dialog().getByText('1 ETH for GOLD')).not.toBeInTheDocument()
    expect(localStorage.getItem('latchkey.sentSwaps')).toBeNull()
    app.destroy()
    await cleanup()
    await show('Swap', localStorage)
    await expect.element(amount()).toBeVisible()
    await expect.element(dialog().getByText('1 ETH for GOLD')).not.toBeInTheDocument()
  })

  test('error: a wallet that had not answered: the form says so before the swap is made again', async () => {
    wallet.answers.eth_sendTransaction = () => new Promise(() => {})
    const close = await leave()
    await expect.element(dialog().getByText('Confirm it in your wallet')).toBeVisible()
    await close()
    await show('Swap', localStorage)
    await expect.element(dialog().getByText(/no response has arrived/)).toBeVisible()
    expect(await violations()).toEqual([])
    await button('I checked').click()
    await expect.element(dialog().getByText('1 ETH for GOLD')).not.toBeInTheDocument()
  })

  test('behavior: a swap that was declined is not remembered', async () => {
    wallet.answers.eth_sendTransaction = () => refuse()
    await leave()
    await expect.element(dialog().getByText('You declined. Nothing was swapped.')).toBeVisible()
    await button('Back').click()
    await expect.element(amount()).toBeVisible()
    await expect.element(dialog().getByText('1 ETH for GOLD')).not.toBeInTheDocument()
  })
})
