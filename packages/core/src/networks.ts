import type { ChainId, Namespace } from '@latchkey/wire'

/** A network that the product supports. */
export type Network = {
  id: number | string
  caipNetworkId: ChainId
  chainNamespace: Namespace
  name: string
  /**
   * The short name of an EVM network that is not in `wire/caip/shortNames`: `mine` for `mine:0x…`
   * (ERC-3770).
   */
  shortName?: string
  nativeCurrency: { name: string; symbol: string; decimals: number }
  /**
   * Public endpoints of the network. The first is given to wallets that have to add the network,
   * unless the app's config has an RPC URL for it.
   */
  rpcUrls: readonly string[]
  /**
   * Whether reads go to the first of `rpcUrls` if the server has no node for the network. True for
   * networks of `defineNetwork` and `fromViemChain`. Preconfigured networks do not set it, because
   * their endpoints belong to third parties, who would learn the visitors' addresses.
   */
  readsFromRpcUrls?: boolean
  /**
   * `query` selects the network on an explorer of several networks, for example `cluster=devnet`.
   */
  blockExplorer?: { name: string; url: string; query?: string }
  contracts?: { multicall3?: `0x${string}` }
  /**
   * The only contracts that swaps may call, regardless of the server's answer; absent if swaps are
   * not available.
   */
  swap?: SwapContracts
  testnet: boolean
  /** Image of the directory: `/public/getAssetImage/{imageId}`. */
  assets: { imageId: string }
}

/** A SwapRouter02 of Uniswap, and the wrapped native currency that it trades. */
export type SwapContracts = { router: `0x${string}`; wrappedNative: `0x${string}` }

/** A network whose id is known to its type. */
export type NetworkOf<Space extends Namespace, Id extends number | string> = Omit<
  Network,
  'id' | 'caipNetworkId' | 'chainNamespace'
> & {
  id: Id
  caipNetworkId: `${Space}:${Id}`
  chainNamespace: Space
}

type Row<Space extends Namespace, Id extends number | string> = {
  namespace: Space
  id: Id
  name: string
  /** Name, symbol, decimals. */
  currency: readonly [string, string, number]
  rpcUrl?: string
  /** Name, URL, and its query after the `?`. */
  explorer?: readonly [string, string, string?]
  multicall3?: `0x${string}`
  /** Router, wrapped native currency. */
  swap?: readonly [`0x${string}`, `0x${string}`]
  testnet?: true
}

const toExplorer = (name: string, url: string, query?: string) => ({
  name,
  url,
  ...(query && { query }),
})

const network = <const Space extends Namespace, const Id extends number | string>({
  namespace,
  id,
  name,
  currency,
  ...row
}: Row<Space, Id>): NetworkOf<Space, Id> => ({
  id,
  caipNetworkId: `${namespace}:${id}` as const,
  chainNamespace: namespace,
  name,
  nativeCurrency: { name: currency[0], symbol: currency[1], decimals: currency[2] },
  rpcUrls: row.rpcUrl ? [row.rpcUrl] : [],
  ...(row.explorer && { blockExplorer: toExplorer(...row.explorer) }),
  ...(row.multicall3 && { contracts: { multicall3: row.multicall3 } }),
  ...(row.swap && { swap: { router: row.swap[0], wrappedNative: row.swap[1] } }),
  testnet: row.testnet ?? false,
  assets: { imageId: `${namespace}-${id}` },
})

/** An EVM network; Multicall3 is at its canonical address unless the row sets another. */
const evm = <const Id extends number>(row: Omit<Row<'eip155', Id>, 'namespace'>) =>
  network({
    namespace: 'eip155',
    multicall3: '0xca11bde05977b3631167028862be2a173976ca11',
    ...row,
  })

/** Ethereum, `eip155:1`. */
export const mainnet = /* @__PURE__ */ evm({
  id: 1,
  name: 'Ethereum',
  currency: ['Ether', 'ETH', 18],
  rpcUrl: 'https://ethereum.reth.rs/rpc',
  explorer: ['Etherscan', 'https://etherscan.io'],
  swap: [
    '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45',
    '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  ],
})

/** Arbitrum One, `eip155:42161`. */
export const arbitrum = /* @__PURE__ */ evm({
  id: 42161,
  name: 'Arbitrum One',
  currency: ['Ether', 'ETH', 18],
  rpcUrl: 'https://arb1.arbitrum.io/rpc',
  explorer: ['Arbiscan', 'https://arbiscan.io'],
  swap: [
    '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45',
    '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1',
  ],
})

/** OP Mainnet, `eip155:10`. */
export const optimism = /* @__PURE__ */ evm({
  id: 10,
  name: 'OP Mainnet',
  currency: ['Ether', 'ETH', 18],
  rpcUrl: 'https://mainnet.optimism.io',
  explorer: ['Optimism Explorer', 'https://optimistic.etherscan.io'],
  swap: [
    '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45',
    '0x4200000000000000000000000000000000000006',
  ],
})

/** Polygon, `eip155:137`. */
export const polygon = /* @__PURE__ */ evm({
  id: 137,
  name: 'Polygon',
  currency: ['POL', 'POL', 18],
  rpcUrl: 'https://polygon.drpc.org',
  explorer: ['PolygonScan', 'https://polygonscan.com'],
  swap: [
    '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45',
    '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270',
  ],
})

/** Base, `eip155:8453`. */
export const base = /* @__PURE__ */ evm({
  id: 8453,
  name: 'Base',
  currency: ['Ether', 'ETH', 18],
  rpcUrl: 'https://mainnet.base.org',
  explorer: ['Basescan', 'https://basescan.org'],
  swap: [
    '0x2626664c2603336E57B271c5C0b26F421741e481',
    '0x4200000000000000000000000000000000000006',
  ],
})

/** BNB Smart Chain, `eip155:56`. */
export const bsc = /* @__PURE__ */ evm({
  id: 56,
  name: 'BNB Smart Chain',
  currency: ['BNB', 'BNB', 18],
  rpcUrl: 'https://56.rpc.thirdweb.com',
  explorer: ['BscScan', 'https://bscscan.com'],
  swap: [
    '0xB971eF87ede563556b2ED4b1C0b0019111Dd85d2',
    '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c',
  ],
})

/** Avalanche, `eip155:43114`. */
export const avalanche = /* @__PURE__ */ evm({
  id: 43114,
  name: 'Avalanche',
  currency: ['Avalanche', 'AVAX', 18],
  rpcUrl: 'https://api.avax.network/ext/bc/C/rpc',
  explorer: ['SnowTrace', 'https://snowtrace.io'],
  swap: [
    '0xbb00FF08d01D300023C629E8fFfFcb65A5a578cE',
    '0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7',
  ],
})

/** Gnosis, `eip155:100`. */
export const gnosis = /* @__PURE__ */ evm({
  id: 100,
  name: 'Gnosis',
  currency: ['xDAI', 'XDAI', 18],
  rpcUrl: 'https://rpc.gnosischain.com',
  explorer: ['Gnosisscan', 'https://gnosisscan.io'],
})

/** ZKsync Era, `eip155:324`. */
export const zksync = /* @__PURE__ */ evm({
  id: 324,
  name: 'ZKsync Era',
  currency: ['Ether', 'ETH', 18],
  rpcUrl: 'https://mainnet.era.zksync.io',
  explorer: ['ZKsync Explorer', 'https://explorer.zksync.io/'],
  multicall3: '0xF9cda624FBC7e059355ce98a31693d299FACd963',
  swap: [
    '0x99c56385daBCE3E81d8499d0b8d0257aBC07E8A3',
    '0x5AEa5775959fBC2557Cc8789bC1bf90A239D9a91',
  ],
})

/** Zora, `eip155:7777777`. */
export const zora = /* @__PURE__ */ evm({
  id: 7777777,
  name: 'Zora',
  currency: ['Ether', 'ETH', 18],
  rpcUrl: 'https://rpc.zora.energy',
  explorer: ['Explorer', 'https://explorer.zora.energy'],
})

/** Celo, `eip155:42220`. */
export const celo = /* @__PURE__ */ evm({
  id: 42220,
  name: 'Celo',
  currency: ['CELO', 'CELO', 18],
  rpcUrl: 'https://forno.celo.org',
  explorer: ['Celo Explorer', 'https://celoscan.io'],
})

/** Aurora, `eip155:1313161554`. */
export const aurora = /* @__PURE__ */ evm({
  id: 1313161554,
  name: 'Aurora',
  currency: ['Ether', 'ETH', 18],
  rpcUrl: 'https://mainnet.aurora.dev',
  explorer: ['Aurorascan', 'https://aurorascan.dev'],
})

/** Linea Mainnet, `eip155:59144`. */
export const linea = /* @__PURE__ */ evm({
  id: 59144,
  name: 'Linea Mainnet',
  currency: ['Linea Ether', 'ETH', 18],
  rpcUrl: 'https://rpc.linea.build',
  explorer: ['Etherscan', 'https://lineascan.build'],
})

/** Scroll, `eip155:534352`. */
export const scroll = /* @__PURE__ */ evm({
  id: 534352,
  name: 'Scroll',
  currency: ['Ether', 'ETH', 18],
  rpcUrl: 'https://rpc.scroll.io',
  explorer: ['Scrollscan', 'https://scrollscan.com'],
})

/** Mantle, `eip155:5000`. */
export const mantle = /* @__PURE__ */ evm({
  id: 5000,
  name: 'Mantle',
  currency: ['MNT', 'MNT', 18],
  rpcUrl: 'https://rpc.mantle.xyz',
  explorer: ['Mantle Explorer', 'https://mantlescan.xyz/'],
})

/** Blast, `eip155:81457`. */
export const blast = /* @__PURE__ */ evm({
  id: 81457,
  name: 'Blast',
  currency: ['Ether', 'ETH', 18],
  rpcUrl: 'https://rpc.blast.io',
  explorer: ['Blastscan', 'https://blastscan.io'],
})

/** Moonbeam, `eip155:1284`. */
export const moonbeam = /* @__PURE__ */ evm({
  id: 1284,
  name: 'Moonbeam',
  currency: ['Moonbeam', 'GLMR', 18],
  rpcUrl: 'https://rpc.api.moonbeam.network',
  explorer: ['Moonscan', 'https://moonscan.io'],
})

/** Fantom, `eip155:250`. */
export const fantom = /* @__PURE__ */ evm({
  id: 250,
  name: 'Fantom',
  currency: ['Fantom', 'FTM', 18],
  rpcUrl: 'https://250.rpc.thirdweb.com',
  explorer: ['FTMScan', 'https://ftmscan.com'],
})

/** Berachain, `eip155:80094`. */
export const berachain = /* @__PURE__ */ evm({
  id: 80094,
  name: 'Berachain',
  currency: ['BERA Token', 'BERA', 18],
  rpcUrl: 'https://rpc.berachain.com',
  explorer: ['Berascan', 'https://berascan.com'],
})

/** Kaia, `eip155:8217`. */
export const kaia = /* @__PURE__ */ evm({
  id: 8217,
  name: 'Kaia',
  currency: ['Kaia', 'KAIA', 18],
  rpcUrl: 'https://public-en.node.kaia.io',
  explorer: ['KaiaScan', 'https://kaiascan.io'],
})

/** Sepolia, `eip155:11155111`. */
export const sepolia = /* @__PURE__ */ evm({
  id: 11155111,
  name: 'Sepolia',
  currency: ['Sepolia Ether', 'ETH', 18],
  rpcUrl: 'https://11155111.rpc.thirdweb.com',
  explorer: ['Etherscan', 'https://sepolia.etherscan.io'],
  testnet: true,
})

/** Base Sepolia, `eip155:84532`. */
export const baseSepolia = /* @__PURE__ */ evm({
  id: 84532,
  name: 'Base Sepolia',
  currency: ['Sepolia Ether', 'ETH', 18],
  rpcUrl: 'https://sepolia.base.org',
  explorer: ['Basescan', 'https://sepolia.basescan.org'],
  testnet: true,
})

/** Arbitrum Sepolia, `eip155:421614`. */
export const arbitrumSepolia = /* @__PURE__ */ evm({
  id: 421614,
  name: 'Arbitrum Sepolia',
  currency: ['Arbitrum Sepolia Ether', 'ETH', 18],
  rpcUrl: 'https://sepolia-rollup.arbitrum.io/rpc',
  explorer: ['Arbiscan', 'https://sepolia.arbiscan.io'],
  testnet: true,
})

/** OP Sepolia, `eip155:11155420`. */
export const optimismSepolia = /* @__PURE__ */ evm({
  id: 11155420,
  name: 'OP Sepolia',
  currency: ['Sepolia Ether', 'ETH', 18],
  rpcUrl: 'https://sepolia.optimism.io',
  explorer: ['Blockscout', 'https://optimism-sepolia.blockscout.com'],
  testnet: true,
})

/** Solana, CAIP-2 reference is the genesis hash's first 32 characters. */
export const solana = /* @__PURE__ */ network({
  namespace: 'solana',
  id: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  name: 'Solana',
  currency: ['Solana', 'SOL', 9],
  rpcUrl: 'https://api.mainnet-beta.solana.com',
  explorer: ['Solscan', 'https://solscan.io'],
})

/** Solana's development network. */
export const solanaDevnet = /* @__PURE__ */ network({
  namespace: 'solana',
  id: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
  name: 'Solana Devnet',
  currency: ['Solana', 'SOL', 9],
  rpcUrl: 'https://api.devnet.solana.com',
  explorer: ['Solscan', 'https://solscan.io', 'cluster=devnet'],
  testnet: true,
})

/** Solana's test network. */
export const solanaTestnet = /* @__PURE__ */ network({
  namespace: 'solana',
  id: '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z',
  name: 'Solana Testnet',
  currency: ['Solana', 'SOL', 9],
  rpcUrl: 'https://api.testnet.solana.com',
  explorer: ['Solscan', 'https://solscan.io', 'cluster=testnet'],
  testnet: true,
})

/** Bitcoin, CAIP-2 reference is the genesis hash's first 32 characters. */
export const bitcoin = /* @__PURE__ */ network({
  namespace: 'bip122',
  id: '000000000019d6689c085ae165831e93',
  name: 'Bitcoin',
  currency: ['Bitcoin', 'BTC', 8],
  explorer: ['Mempool', 'https://mempool.space'],
})

/** Bitcoin's test network. */
export const bitcoinTestnet = /* @__PURE__ */ network({
  namespace: 'bip122',
  id: '000000000933ea01ad0ee984209779ba',
  name: 'Bitcoin Testnet',
  currency: ['Bitcoin', 'BTC', 8],
  explorer: ['Mempool', 'https://mempool.space/testnet'],
  testnet: true,
})

/** Polkadot, CAIP-2 reference is the genesis hash's first 32 characters. */
export const polkadot = /* @__PURE__ */ network({
  namespace: 'polkadot',
  id: '91b171bb158e2d3848fa23a9f1c25182',
  name: 'Polkadot',
  currency: ['Polkadot', 'DOT', 10],
  explorer: ['Subscan', 'https://polkadot.subscan.io'],
})

/** Kusama, Polkadot's canary network. */
export const kusama = /* @__PURE__ */ network({
  namespace: 'polkadot',
  id: 'b0a8d493285c2df73290dfb7e61f870f',
  name: 'Kusama',
  currency: ['Kusama', 'KSM', 12],
  explorer: ['Subscan', 'https://kusama.subscan.io'],
})

/** Westend, Polkadot's test network. */
export const westend = /* @__PURE__ */ network({
  namespace: 'polkadot',
  id: 'e143f23803ac50e8f6f8e62695d1ce9e',
  name: 'Westend',
  currency: ['Westend', 'WND', 12],
  explorer: ['Subscan', 'https://westend.subscan.io'],
  testnet: true,
})

/** The first chain of a local stack. */
export const latchkeyOne = /* @__PURE__ */ evm({
  id: 31337,
  name: 'Latchkey One',
  currency: ['Ether', 'ETH', 18],
  swap: [
    '0x0D8694F47cDC22Bb8C6D2668a38d07a439F378F9',
    '0x700b6A60ce7EaaEA56F065753d8dcB9653dbAD35',
  ],
  testnet: true,
})

/** The second chain of a local stack. */
export const latchkeyTwo = /* @__PURE__ */ evm({
  id: 31338,
  name: 'Latchkey Two',
  currency: ['Ether', 'ETH', 18],
  swap: [
    '0x0D8694F47cDC22Bb8C6D2668a38d07a439F378F9',
    '0x700b6A60ce7EaaEA56F065753d8dcB9653dbAD35',
  ],
  testnet: true,
})

/** The Bitcoin chain of a local stack. */
export const latchkeyBitcoin = /* @__PURE__ */ network({
  namespace: 'bip122',
  id: '5c66f8fcc1e9488fef9402b1af48d8e7',
  name: 'Latchkey Bitcoin',
  currency: ['Bitcoin', 'BTC', 8],
  testnet: true,
})

/** The Solana chain of a local stack. */
export const latchkeySolana = /* @__PURE__ */ network({
  namespace: 'solana',
  id: '5ZZj1D5GxruNRRNgMXnCNbnGtQw6B5vU',
  name: 'Latchkey Solana',
  currency: ['Solana', 'SOL', 9],
  testnet: true,
})

/** All preconfigured networks. An app that imports its few networks by name bundles only those. */
export const allNetworks: readonly Network[] = [
  mainnet,
  arbitrum,
  optimism,
  polygon,
  base,
  bsc,
  avalanche,
  gnosis,
  zksync,
  zora,
  celo,
  aurora,
  linea,
  scroll,
  mantle,
  blast,
  moonbeam,
  fantom,
  berachain,
  kaia,
  sepolia,
  baseSepolia,
  arbitrumSepolia,
  optimismSepolia,
  solana,
  solanaDevnet,
  solanaTestnet,
  bitcoin,
  bitcoinTestnet,
  polkadot,
  kusama,
  westend,
  latchkeyOne,
  latchkeyTwo,
  latchkeyBitcoin,
  latchkeySolana,
]

/** The preconfigured network of a CAIP-2 id. */
export const findNetwork = (caipNetworkId: string): Network | undefined =>
  allNetworks.find((entry) => entry.caipNetworkId === caipNetworkId)
