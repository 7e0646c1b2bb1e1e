import { bitcoinChain } from '../chains/bitcoin/definition.ts'
import { chainDefinitions, devChainIds, nativeCurrency } from '../chains/definitions.ts'
import { westend } from '../chains/polkadot/westend.ts'
import { solanaChain } from '../chains/solana/definition.ts'
import { solanaAddresses, solanaTokens } from '../chains/solana/seed/addresses.ts'
import type { ChainPlans } from '../chains/startChains.ts'
import { host } from '../ports.ts'

/**
 * The development wallet's /config.json: the chains it may use, and the relay of the server at
 * `apiPort`.
 */
export const walletConfig = ({
  ports,
  apiPort,
  solana,
  bitcoin,
}: Pick<ChainPlans, 'ports'> & {
  apiPort: number
  /** The Solana chain, if it runs. */
  solana?: { port: number } | undefined
  /** The Bitcoin chain, if it runs. */
  bitcoin?: { port: number } | undefined
}) => ({
  relayUrl: `ws://${host}:${apiPort}`,
  chains: devChainIds.map((id) => ({
    chainId: chainDefinitions[id].chainId,
    name: chainDefinitions[id].name,
    rpcUrl: `http://${host}:${ports[id]}`,
    nativeCurrency,
  })),
  // The wallet signs for the test network, which does not need a local node.
  polkadot: [westend],
  ...(solana && {
    solana: {
      name: solanaChain.name,
      rpcUrl: `http://${host}:${solana.port}`,
      symbols: { [solanaAddresses.token]: solanaTokens.token.symbol },
    },
  }),
  ...(bitcoin && {
    bitcoin: {
      chainId: bitcoinChain.id,
      name: bitcoinChain.name,
      esploraUrl: `http://${host}:${bitcoin.port}`,
    },
  }),
})

/** {@link walletConfig}'s shape. */
export type WalletConfig = ReturnType<typeof walletConfig>
