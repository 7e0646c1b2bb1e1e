import type { ChainId } from '@latchkey/wire'
import { parseAbi } from 'viem/utils'
import type { Hex } from '../evm/hex.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { Outbound } from '../outbound/createOutbound.ts'

/** The functions of a registry (ERC-137). */
export const registryAbi = parseAbi(['function resolver(bytes32) view returns (address)'])

/** The functions of a resolver: ERC-137, ERC-2304, ERC-634, ERC-181, ENSIP-10. */
export const resolverAbi = parseAbi([
  'function supportsInterface(bytes4) view returns (bool)',
  'function addr(bytes32) view returns (address)',
  'function addr(bytes32, uint256) view returns (bytes)',
  'function text(bytes32, string) view returns (string)',
  'function name(bytes32) view returns (string)',
  'function resolve(bytes, bytes) view returns (bytes)',
])

/** The error with which a contract refers its caller to a web server (EIP-3668). */
export const lookupAbi = parseAbi([
  'error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)',
])

/**
 * The source of names: a registry and its chain, and the client for the servers that resolvers
 * name.
 */
export type Ens = {
  readonly chainId: ChainId
  readonly registry: Hex
  readonly upstreams: Upstreams
  readonly outbound: Outbound
}
