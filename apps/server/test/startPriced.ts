import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startChains } from '@latchkey/dev'
import { makeTestDir, startTestServer } from './startTestServer.ts'

export const pricedChain = 'eip155:31337'

/**
 * The local chains, and a server with prices on the first chain: of ETH, and of tokens with pools.
 * Its token list contains only dUSD.
 */
export async function startPriced() {
  const chains = await startChains({ ports: 'free' })
  const { multicall3, uniswapV2Factory, uniswapV3Factory, wrappedEther, usd } =
    chains.addresses[pricedChain]
  const folder = await makeTestDir()
  const list = join(folder, 'tokens.json')
  const listed = { chainId: 31337, address: usd, name: 'Dev USD', symbol: 'dUSD', decimals: 6 }
  await writeFile(list, JSON.stringify({ name: 'Test', tokens: [listed] }))
  const chain = {
    name: 'One',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    upstreams: [chains.urls[pricedChain]],
    multicall3,
    tokenLists: [list],
    uniswapV2: { factory: uniswapV2Factory, wrappedNative: wrappedEther, usd },
    uniswapV3: { factory: uniswapV3Factory },
  }
  const file = join(folder, 'chains.json')
  await writeFile(file, JSON.stringify({ chains: { [pricedChain]: chain } }))
  const server = await startTestServer({ CHAINS_FILE: file })
  return {
    chains,
    server,
    async stop() {
      await server.stop()
      await chains.stop()
    },
  }
}
