import type { ChainId } from '@latchkey/wire'
import type { BatchCapabilities } from '../../batchCalls.ts'
import { parseEvmChainId } from '../chainId.ts'

/**
 * Returns the capabilities of one chain from a wallet's response (EIP-5792), by name. The entry
 * `0x0` applies to all chains; the chain's own entry takes precedence. Malformed entries of other
 * chains are ignored.
 */
export function getCapabilitiesOf(answer: unknown, chainId: ChainId): Record<string, unknown> {
  const entries = Object.entries(toObject(answer))
  const general = entries.filter(([key]) => /^(0x)?0+$/i.test(key))
  const own = entries.filter(([key]) => parseEvmChainId(key.toLowerCase()) === chainId)
  return Object.assign({}, ...[...general, ...own].map(([, value]) => toObject(value)))
}

/**
 * Reads the capabilities for batches on one chain. `atomicBatch` is the name of `atomic` in the
 * standard's first version. A paymaster that the page can name (`paymasterService`) is not a
 * sponsor.
 */
export function readBatchCapabilities(answer: unknown, chainId: ChainId): BatchCapabilities {
  const { atomic, atomicBatch, sponsorship } = getCapabilitiesOf(answer, chainId)
  const known = (['supported', 'ready', 'unsupported'] as const).find(
    (one) => one === toStatus(atomic),
  )
  return {
    atomic: known ?? (isSupported(atomicBatch) ? 'supported' : 'unsupported'),
    isSponsored: isSupported(sponsorship),
  }
}

/** `{ supported: true }`, or as wallets shorten it, `true` or `'supported'`. */
const isSupported = (capability: unknown) => toStatus(capability) === 'supported'

/** The status of a capability in lower case. */
function toStatus(capability: unknown): string {
  const { status, supported } = toObject(capability)
  const word = String(status ?? supported ?? capability)
    .trim()
    .toLowerCase()
  if (word === 'true') return 'supported'
  return word === 'false' ? 'unsupported' : word
}

const toObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
