import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEther } from 'viem'
import { devTokens, wrappedEther } from '../contracts/tokens.ts'
import { host } from '../ports.ts'
import { bitcoinChain } from './bitcoin/definition.ts'
import { chainDefinitions, type DevChainId, devChainIds, nativeCurrency } from './definitions.ts'
import { solanaChain } from './solana/definition.ts'
import { solanaAddresses, solanaTokens } from './solana/seed/addresses.ts'
import type { ChainPlans } from './startChains.ts'

/**
 * Writes `chains.json` (the server's CHAINS_FILE) and its token list (https://tokenlists.org) into
 * `dataDir`, and returns the path of `chains.json`.
 */
export function writeChainFiles({
  planned,
  solana,
  bitcoin,
  faucet,
  plainChains,
  dataDir,
}: {
  planned: ChainPlans
  /** The Solana chain, if it runs. */
  solana?: { port: number } | undefined
  /** The Bitcoin chain, if it runs. */
  bitcoin?: { port: number } | undefined
  /** The faucet, if it runs; it has a path for each chain. */
  faucet?: { port: number } | undefined
  /** Networks without smart accounts. */
  plainChains: readonly DevChainId[]
  dataDir: string
}): string {
  const tokensFile = join(dataDir, 'tokens.json')
  const chainsFile = join(dataDir, 'chains.json')
  writeFileSync(tokensFile, toJson(tokenList(planned)))
  const chains: [string, object][] = devChainIds.map((id) => [
    id,
    {
      ...describeChain({ id, planned, tokensFile }),
      ...(!plainChains.includes(id) && describeSmartAccounts(planned.plans[id])),
    },
  ])
  if (solana) chains.push([solanaChain.id, describeSolana({ ...solana, tokensFile })])
  if (bitcoin) chains.push([bitcoinChain.id, describeBitcoin(bitcoin)])
  const described = chains.map(([id, chain]) => [
    id,
    { ...chain, ...(faucet && { faucet: { url: `http://${host}:${faucet.port}/${id}` } }) },
  ])
  writeFileSync(chainsFile, toJson({ chains: Object.fromEntries(described) }))
  return chainsFile
}

function tokenList({ plans }: ChainPlans) {
  const tokens = devChainIds.flatMap((id) => {
    const { addresses } = plans[id]
    const { chainId } = chainDefinitions[id]
    const keys = ['usd', 'btc', 'gold'] as const
    return [
      { chainId, address: addresses.wrappedEther, ...wrappedEther },
      ...keys.map((key) => {
        const { name, symbol, decimals } = devTokens[key]
        return { chainId, address: addresses[key], name, symbol, decimals }
      }),
    ]
  })
  // The id of token lists for every Solana network that is not public.
  const solana = { chainId: 104, address: solanaAddresses.token, ...solanaTokens.token }
  return {
    name: 'Latchkey development tokens',
    timestamp: '2026-01-01T00:00:00.000Z',
    version: { major: 1, minor: 0, patch: 0 },
    tokens: [...tokens, solana],
  }
}

function describeChain(parameters: { id: DevChainId; planned: ChainPlans; tokensFile: string }) {
  const { id, planned, tokensFile } = parameters
  const { addresses } = planned.plans[id]
  return {
    name: chainDefinitions[id].name,
    nativeCurrency,
    upstreams: [`http://${host}:${planned.ports[id]}`],
    multicall3: addresses.multicall3,
    tokenLists: [tokensFile],
    uniswapV2: {
      factory: addresses.uniswapV2Factory,
      wrappedNative: addresses.wrappedEther,
      usd: addresses.usd,
    },
    uniswapV3: { factory: addresses.uniswapV3Factory },
    eur: addresses.eur,
    swap: {
      source: 'uniswap',
      router: addresses.swapRouter,
      quoter: addresses.quoter,
    },
    ens: { registry: addresses.ensRegistry },
    testnet: true,
  }
}

const describeSmartAccounts = ({ addresses }: ChainPlans['plans'][DevChainId]) => ({
  smartAccounts: {
    bundler: 'own',
    permissions: true,
    sponsorship: {
      paymaster: addresses.paymaster,
      name: 'Latchkey Development',
      // The paymaster pays for everything, so that a new account without money can send
      // transactions.
      weiPerAccountAndDay: String(parseEther('1')),
      weiPerDay: String(parseEther('50')),
    },
  },
})

const describeSolana = ({ port, tokensFile }: { port: number; tokensFile: string }) => ({
  name: solanaChain.name,
  nativeCurrency: solanaChain.nativeCurrency,
  upstreams: [`http://${host}:${port}`],
  tokenLists: [tokensFile],
  testnet: true,
})

const describeBitcoin = ({ port }: { port: number }) => ({
  name: bitcoinChain.name,
  nativeCurrency: bitcoinChain.nativeCurrency,
  upstreams: [`http://${host}:${port}`],
  testnet: true,
})

const toJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
