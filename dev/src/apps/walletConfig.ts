import { chainDefinitions, devChainIds, nativeCurrency } from '../chains/definitions.ts'
import type { ChainPlans } from '../chains/startChains.ts'
import { host } from '../ports.ts'

/** What the development wallet reads at /config.json: the chains it may use, and the relay of the server at `apiPort`. */
export const walletConfig = ({
  ports,
  apiPort,
}: Pick<ChainPlans, 'ports'> & { apiPort: number }) => ({
  relayUrl: `ws://${host}:${apiPort}`,
  chains: devChainIds.map((id) => ({
    chainId: chainDefinitions[id].chainId,
    name: chainDefinitions[id].name,
    rpcUrl: `http://${host}:${ports[id]}`,
    nativeCurrency,
  })),
})

/** {@link walletConfig}'s shape. */
export type WalletConfig = ReturnType<typeof walletConfig>
