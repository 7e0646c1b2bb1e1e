import { isError, LatchkeyError } from '@latchkey/wire'
import { walletErrorCode } from '../../connection/connectors/walletError.ts'
import type { Network } from '../../networks.ts'
import type { Actions } from '../actions.ts'
import type { Request } from '../request.ts'
import { toHex } from './values.ts'

/** Wallet codes after which the chain is added, with the signs that wallets use in practice. */
const addChainCodes: readonly number[] = [4902, 5000, 32603, -32603]

/**
 * Requests a switch to the network from the wallet, and adds the network if the wallet does not
 * have it. Throws CHAIN_NOT_SUPPORTED.
 */
export async function switchEvmChain({
  wallet,
  network,
  rpcUrl,
}: Parameters<NonNullable<Actions['switchTo']>>[0]) {
  const chainId = toHex(BigInt(network.id))
  const ask = () => wallet('wallet_switchEthereumChain', [{ chainId }])
  try {
    await ask()
  } catch (error) {
    if (!mayAdd(error)) throw error
    await addChain(wallet, network, rpcUrl)
    // Most wallets switch when they add the network; those that still refuse will not switch.
    await ask().catch(unlessDecided)
  }
  const now = await wallet('eth_chainId').catch(unlessDecided)
  if (String(now).toLowerCase() !== chainId && Number(now) !== Number(chainId))
    throw new LatchkeyError('CHAIN_NOT_SUPPORTED')
}

function mayAdd(error: unknown) {
  if (isError(error, 'USER_REJECTED')) return false
  if (isError(error, 'UNRECOGNIZED_CHAIN')) return true
  const code = isError(error) ? walletErrorCode(error.cause) : undefined
  return code !== undefined && addChainCodes.includes(code)
}

const addChain = (wallet: Request, network: Network, rpcUrl: string) =>
  wallet('wallet_addEthereumChain', [
    {
      chainId: toHex(BigInt(network.id)),
      chainName: network.name,
      nativeCurrency: network.nativeCurrency,
      rpcUrls: [rpcUrl],
      ...(network.blockExplorer && { blockExplorerUrls: [network.blockExplorer.url] }),
    },
  ]).catch(unlessDecided)

/**
 * If the user rejects, that error is thrown; any other error means that the wallet cannot switch to
 * the network.
 */
function unlessDecided(cause: unknown): never {
  if (isError(cause, 'USER_REJECTED') || isError(cause, 'REQUEST_PENDING')) throw cause
  throw new LatchkeyError('CHAIN_NOT_SUPPORTED', { cause })
}
