import { dirname, resolve } from 'node:path'
import { isChainId } from '@latchkey/wire'
import * as z from 'zod'
import { smartAccountsSchema } from '../bundler/bundlerConfig.ts'
import { swapSchema } from '../convert/swapConfig.ts'
import { addressPattern } from '../evm/address.ts'
import { readJsonFile } from './readJsonFile.ts'

const evmAddress = z.string().regex(addressPattern, 'must be an address (0x and 40 hex digits)')
export const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })

const webSocketUrl = z.url({ protocol: /^wss?$/, error: 'must be a ws:// or wss:// URL' })

/**
 * The registry of ENS on Ethereum and its test networks
 * (https://docs.ens.domains/learn/deployments).
 */
const ensRegistry = '0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e'

const chainSchema = z.object({
  name: z.string().min(1),
  nativeCurrency: z.object({
    name: z.string().min(1),
    symbol: z.string().min(1),
    decimals: z.int().min(0).max(36),
  }),
  /** JSON-RPC URLs, the preferred first. */
  upstreams: z.array(httpUrl).min(1, 'must name at least one URL'),
  /** URLs for subscriptions, the preferred first, if they are not the `upstreams`. */
  webSocketUrls: z.array(webSocketUrl).min(1, 'must name at least one URL').optional(),
  /**
   * URLs that get the signed transactions of an EVM network instead of the `upstreams`, the
   * preferred first.
   */
  privateTransactionUrls: z.array(httpUrl).min(1, 'must name at least one URL').optional(),
  /**
   * The most calls that a node of this network accepts in one JSON-RPC batch; 1 if it accepts no
   * batches.
   */
  batch: z.int().min(1).optional(),
  multicall3: evmAddress.optional(),
  /**
   * The contract that wraps the native currency, for example WETH9. By default the contract of
   * `uniswapV3` or `uniswapV2`.
   */
  wrappedNative: evmAddress.optional(),
  /**
   * Token lists (https://tokenlists.org): URLs, or absolute paths; relative ones count from the
   * chains file.
   */
  tokenLists: z.array(z.string().min(1)).optional(),
  uniswapV2: z
    .object({ factory: evmAddress, wrappedNative: evmAddress, usd: evmAddress })
    .optional(),
  /** `wrappedNative` and `usd` default to the values of `uniswapV2`; `fees` are in millionths. */
  uniswapV3: z
    .object({
      factory: evmAddress,
      wrappedNative: evmAddress.optional(),
      usd: evmAddress.optional(),
      fees: z.array(z.int().min(1).max(999_999)).min(1).max(8).optional(),
    })
    .optional(),
  /** A token that is worth one euro, used to estimate payments in euros. */
  eur: evmAddress.optional(),
  /** For each token, the token it trades against, the next token and so on, up to the dollar. */
  priceRoutes: z.record(evmAddress, z.array(evmAddress).max(3)).optional(),
  /** The network's name at the outside price source, if it is not a well-known one. */
  priceSourceChain: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .optional(),
  /** Names of accounts; the default is the registry of Ethereum. */
  ens: z.object({ registry: evmAddress.default(ensRegistry) }).optional(),
  testnet: z.boolean().optional(),
  /** The explorer that the web app links to, for accounts and transactions. */
  blockExplorer: z
    .object({ name: z.string().min(1), url: httpUrl.transform((url) => url.replace(/\/+$/, '')) })
    .optional(),
  /**
   * The faucet of a `testnet`, from which users get test money: the server sends it `POST
   * {address}`.
   */
  faucet: z.object({ url: httpUrl }).optional(),
  smartAccounts: smartAccountsSchema.optional(),
  swap: swapSchema.optional(),
  /**
   * The source of accounts' activity, by default the upstreams. `fromBlock` is the
   * oldest block to read; without it, only the newest `depth` blocks are read (default 200 000).
   * With `traces: false` the server calls neither `trace_block` nor
   * `debug_traceBlockByNumber`.
   */
  activity: z
    .object({
      source: z.enum(['rpc', 'blockscout', 'etherscan', 'off']).optional(),
      url: httpUrl.optional(),
      apiKey: z.string().min(1).optional(),
      fromBlock: z.int().min(0).optional(),
      depth: z.int().min(0).optional(),
      traces: z.boolean().optional(),
    })
    .optional(),
})

export const chainIdSchema = z
  .templateLiteral(
    [
      z.enum(['eip155', 'solana', 'bip122', 'polkadot']),
      ':',
      z.string().regex(/[-_a-zA-Z0-9]{1,32}/),
    ],
    'must be a CAIP-2 id, such as eip155:31337',
  )
  .refine((id) => !id.startsWith('eip155:') || isChainId(id), {
    error: 'must have a number, such as eip155:31337',
  })
  .refine((id) => !id.startsWith('solana:') || /^solana:[1-9A-HJ-NP-Za-km-z]{32}$/.test(id), {
    error: "must have the first 32 characters of the genesis block's hash",
  })
  .refine((id) => !id.startsWith('polkadot:') || /^polkadot:[0-9a-f]{32}$/.test(id), {
    error: "must have the first 32 hex digits of the genesis block's hash",
  })
const chainsSchema = z.object({
  chains: z.record(chainIdSchema, chainSchema).superRefine((chains, { addIssue }) => {
    // On other networks these settings would be ignored.
    for (const [id, chain] of Object.entries(chains))
      for (const name of ['privateTransactionUrls', 'eur'] as const)
        if (chain[name] && !id.startsWith('eip155:'))
          addIssue({ code: 'custom', path: [id, name], message: 'is for eip155 networks' })
  }),
})

/** A network of the server, as described in the chains file. */
export type ChainConfig = z.infer<typeof chainSchema>

/** Networks by CAIP-2 id, in the order of the chains file. */
export type Chains = z.infer<typeof chainsSchema>['chains']

export function readChains(file: string | undefined): { chains: Chains; problems: string[] } {
  if (file === undefined) return { chains: {}, problems: [] }
  const { path, data, problems } = readJsonFile('CHAINS_FILE', file, chainsSchema)
  const chains = data?.chains ?? {}
  for (const chain of Object.values(chains))
    chain.tokenLists = chain.tokenLists?.map((list) =>
      /^https?:\/\//.test(list) ? list : resolve(dirname(path), list),
    )
  return { chains, problems }
}
