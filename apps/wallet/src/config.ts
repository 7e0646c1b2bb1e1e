import { canParseUrl } from '@latchkey/wire'
import * as z from 'zod/mini'

const isLocal = (url: string) =>
  canParseUrl(url) && /^http:\/\/(127\.0\.0\.1|localhost)(:|\/|$)/.test(url)

/** Whether a relay runs on this machine. */
export const isLocalRelay = (url: string): boolean =>
  canParseUrl(url) && /^ws:\/\/(127\.0\.0\.1|localhost)(:|\/|$)/.test(url)

const chain = z.object({
  chainId: z.int().check(z.positive()),
  name: z.string().check(z.minLength(1)),
  rpcUrl: z.string().check(z.refine(isLocal, 'only networks of this machine')),
  nativeCurrency: z.object({ name: z.string(), symbol: z.string(), decimals: z.int() }),
})
export type Chain = z.output<typeof chain>

const solanaChain = z.object({
  name: z.string().check(z.minLength(1)),
  rpcUrl: z.string().check(z.refine(isLocal, 'only networks of this machine')),
  /** By mint: symbols of tokens without an on-chain symbol. */
  symbols: z.record(z.string(), z.string()),
})
export type SolanaChain = z.output<typeof solanaChain>

const polkadotNetwork = z.object({
  /** CAIP-2. */
  id: z.string().check(z.startsWith('polkadot:')),
  name: z.string().check(z.minLength(1)),
  nativeCurrency: z.object({ symbol: z.string(), decimals: z.int() }),
  /** The index of the pallet whose calls send the native currency. */
  balancesPallet: z.int(),
})
export type PolkadotNetwork = z.output<typeof polkadotNetwork>
const bitcoinChain = z.object({
  name: z.string().check(z.minLength(1)),
  /** An Esplora endpoint. */
  esploraUrl: z.string().check(z.refine(isLocal, 'only networks of this machine')),
})
export type BitcoinChain = z.output<typeof bitcoinChain>

const config = z.object({
  chains: z.array(chain).check(z.minLength(1)),
  /** If missing, the wallet does not support Solana. */
  solana: z.optional(solanaChain),
  /** Networks that the wallet signs for but does not send to. */
  polkadot: z._default(z.array(polkadotNetwork), []),
  /** If missing, the wallet does not support Bitcoin. */
  bitcoin: z.optional(bitcoinChain),
  /** The WalletConnect relay. If missing, the wallet connects only to pages. */
  relayUrl: z.optional(z.string().check(z.refine(isLocalRelay, 'only a relay of this machine'))),
})
export type Config = z.output<typeof config>

/** Loads the networks of this wallet from its server. Throws if the response is invalid. */
export async function loadConfig(): Promise<Config> {
  const response = await fetch('/config.json')
  return z.parse(config, await response.json())
}

/** The configured network of this id, else undefined. */
export const findChain = (config: Config, chainId: number): Chain | undefined =>
  config.chains.find((one) => one.chainId === chainId)
