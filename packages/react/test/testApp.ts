import {
  type App,
  type Config,
  createApp,
  type Environment,
  latchkeyOne,
  latchkeyTwo,
  type Page,
} from '@latchkey/core/internal'
import type { FakePairing } from './fakes/fakePairing.ts'
import { createFakeWallet, type FakeWallet } from './fakes/fakeWallet.ts'

export const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
export const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const names = ['Alder', 'Birch', 'Cedar', 'Dogwood', 'Elm', 'Fir', 'Ginkgo', 'Hazel', 'Ironwood']

/** A directory of `count` invented wallets. */
const inventedWallets = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const id = index.toString(16).padStart(64, '0')
    const round = Math.floor(index / names.length)
    return {
      id,
      name: `${names[index % names.length]}${round ? ` ${round + 1}` : ''}`,
      homepage: 'https://wallet.example/',
      image_id: id,
      mobile_link: index === 3 ? null : 'alder://',
      ...(index === 2 && everyWay),
      chrome_store: 'https://store.example/alder',
      app_store: index === 1 ? 'javascript:alert(1)' : null,
      rdns: `example.${index}`,
      chains: ['eip155:1'],
    }
  })

/** Links of a wallet that is everywhere. */
const everyWay = {
  link_mode: 'https://cedar.example/open',
  webapp_link: 'https://web.cedar.example',
  desktop_link: 'cedar-desktop://',
}

type Answers = {
  wallets?: (search: URLSearchParams) => unknown
  balances?: () => unknown
  /** A page of an account's transactions. */
  history?: (search: URLSearchParams) => unknown
  /** The server's table of enabled areas. */
  areas?: () => unknown
  /** Any other route; undefined leaves it to the others. */
  other?: (url: URL, init?: RequestInit) => unknown
  /** Result of a node's method. */
  rpc?: (method: string, params: unknown) => unknown
}

/** An imitation of a Latchkey server, in the page. */
function answering({ areas, history, wallets, balances, other, rpc }: Answers): typeof fetch {
  const directory = inventedWallets(100)
  const list = (search: URLSearchParams) => {
    const word = search.get('search')?.toLowerCase()
    const include = search.get('include')?.split(',')
    const found = directory.filter(
      ({ id, name }) =>
        (!word || name.toLowerCase().includes(word)) && (!include || include.includes(id)),
    )
    const entries = Number(search.get('entries'))
    const from = (Number(search.get('page')) - 1) * entries
    return { count: found.length, data: found.slice(from, from + entries) }
  }
  return async (input, init) => {
    const url = new URL(String(input))
    const answer = await other?.(url, init)
    if (answer !== undefined) return reply(answer)
    if (url.pathname === '/getWallets') return reply(await (wallets ?? list)(url.searchParams))
    if (url.pathname === '/v1/supported-chains')
      return reply(await (areas ?? (() => ({ http: ['eip155:31337', 'eip155:31338'], ws: [] })))())
    if (url.pathname.endsWith('/history'))
      return reply(await (history ?? (() => ({ data: [], next: null })))(url.searchParams))
    if (url.pathname.endsWith('/balance'))
      return reply(await (balances ?? (() => ({ balances: heldTokens })))())
    const asked = JSON.parse(String(init?.body ?? '{}')) as Call | Call[]
    const one = ({ id, method, params }: Call) => ({
      jsonrpc: '2.0',
      id,
      result: (rpc ?? nodeAnswer)(method, params),
    })
    return reply(Array.isArray(asked) ? asked.map(one) : one(asked))
  }
}

type Call = { id: number; method: string; params: unknown }

const reply = (value: unknown) =>
  value instanceof Response
    ? value
    : new Response(JSON.stringify(value), { headers: { 'content-type': 'application/json' } })

/** The result of a node that has a single block, and nothing final yet. */
export function nodeAnswer(method: string, params?: unknown): unknown {
  switch (method) {
    case 'eth_getBalance':
      return '0x21e19e0c9bab2400000'
    case 'eth_chainId':
      return '0x7a69'
    case 'eth_estimateGas':
      return '0x5208'
    case 'eth_gasPrice':
    case 'eth_maxPriorityFeePerGas':
      return '0x3b9aca00'
    case 'eth_getTransactionCount':
      return '0x1'
    case 'eth_getCode':
      return '0x'
    case 'eth_feeHistory':
      return {
        oldestBlock: '0x1',
        baseFeePerGas: ['0x3b9aca00', '0x3b9aca00'],
        gasUsedRatio: [0.1],
      }
    case 'eth_getBlockByNumber':
      if ((params as unknown[])[0] === 'finalized') return { number: '0x0' }
      return { number: '0x1', baseFeePerGas: '0x3b9aca00', timestamp: '0x1', transactions: [] }
    case 'eth_blockNumber':
      return '0x2'
    case 'eth_getTransactionReceipt':
      return {
        transactionHash: (params as string[])[0],
        status: '0x1',
        blockNumber: '0x1',
        blockHash: `0x${'1'.repeat(64)}`,
        logs: [],
      }
    default:
      return null
  }
}

const heldTokens = [
  {
    name: 'Ether',
    symbol: 'ETH',
    chainId: 'eip155:31337',
    quantity: { decimals: '18', numeric: '9999.123456' },
    price: 2000,
    value: 19998246.91,
    iconUrl: '',
  },
  {
    name: 'Test Dollar',
    symbol: 'TUSD',
    chainId: 'eip155:31337',
    address: 'eip155:31337:0x5FbDB2315678afecb367f032d93F642f64180aa3',
    quantity: { decimals: '6', numeric: '1250.5' },
    price: 1,
    value: 1250.5,
    iconUrl: '',
  },
  {
    name: 'A coin nobody prices',
    symbol: 'ODD',
    chainId: 'eip155:31337',
    address: 'eip155:31337:0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512',
    quantity: { decimals: '8', numeric: '0.00000012' },
    iconUrl: '',
  },
]

let uuids = 0

/** Announces wallets to the page by EIP-6963; returns how to take the listener away. */
export function announce(
  wallets: readonly { name: string; rdns?: string; wallet: FakeWallet; icon?: string }[],
): () => void {
  const details = wallets.map(({ name, rdns, wallet, icon }) =>
    Object.freeze({
      info: {
        uuid: `00000000-0000-4000-8000-${String(uuids++).padStart(12, '0')}`,
        name,
        rdns: rdns ?? `test.${name.toLowerCase().replace(/\W/g, '')}`,
        icon:
          icon ??
          'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"%3E%3Crect width="4" height="4" fill="%23357"/%3E%3Ccircle cx="2" cy="2" r="1" fill="white"/%3E%3C/svg%3E',
      },
      provider: wallet,
    }),
  )
  const say = () => {
    for (const detail of details)
      window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  }
  window.addEventListener('eip6963:requestProvider', say)
  say()
  return () => window.removeEventListener('eip6963:requestProvider', say)
}

/** The apps of the test that runs. */
const apps = new Set<App>()

/** Ends all apps that a test has made: they would listen to the page of the next one. */
export function destroyApps(): void {
  for (const app of apps) app.destroy()
  apps.clear()
}

/**
 * A real app in this page that talks to in-page answers; without a `pairing` it reaches no wallet
 * elsewhere.
 */
export function testApp(
  config: Partial<Config> = {},
  answers: Answers = {},
  {
    pairing,
    page,
    webSocket,
    now,
    area,
    tabArea,
    framePlace,
  }: {
    pairing?: FakePairing
    page?: Page
    webSocket?: typeof WebSocket
    now?: () => number
    area?: NonNullable<Parameters<typeof createApp>[1]>['area']
    tabArea?: NonNullable<Parameters<typeof createApp>[1]>['area']
    framePlace?: Environment['framePlace']
  } = {},
): App {
  const app = createApp(
    {
      projectId: 'local',
      apiUrl: location.origin,
      networks: [latchkeyOne, latchkeyTwo],
      ...config,
      wallets: {
        injected: false,
        // Reaching wallets elsewhere is the fake pairing's here.
        walletConnect: pairing !== undefined && { relayUrl: 'wss://relay.example' },
        ...config?.wallets,
      },
    },
    {
      fetch: answering(answers),
      logFrame: () => {},
      area,
      tabArea,
      framePlace,
      webSocket,
      ...(now && { now }),
      ...(pairing && { connectors: [pairing.connector] }),
      ...(page && { page }),
    },
  )
  apps.add(app)
  return app
}

/** The window of a phone; `opened` has the URLs that it was requested to open. */
export function phonePage(): Page & { opened: [url: string, target: string][] } {
  const opened: [string, string][] = []
  return {
    navigator: {
      userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)',
      maxTouchPoints: 5,
    },
    location,
    document,
    history,
    close: () => {},
    top: undefined,
    self: undefined,
    open: (url, target) => opened.push([url, target]),
    addEventListener: window.addEventListener.bind(window),
    removeEventListener: window.removeEventListener.bind(window),
    opened,
  }
}

export { createFakeWallet, type FakeWallet }
