import type { ChainId } from '@latchkey/wire'
import type { BatchCapabilities } from '../../batchCalls.ts'
import { parseEvmChainId } from '../chainId.ts'

/**
 * Returns the capabilities of one chain from a wallet's answer (EIP-5792), by name. The entry `0x0` applies to all chains; the chain's
 * own entry comes before it. Malformed entries of other chains are ignored.
 */
export function getCapabilitiesOf(answer: unknown, chainId: ChainId): Record<string, unknown> {
  const entries = Object.entries(toObject(answer))
  const general = entries.filter(([key]) => /^(0x)?0+$/i.test(key))
  const own = entries.filter(([key]) => parseEvmChainId(key.toLowerCase()) === chainId)
  return Object.assign({}, ...[...general, ...own].map(([, value]) => toObject(value)))
}

/** Reads the capabilities for batches on one chain. `atomicBatch` is the name of `atomic` in the standard's first version. */
export function readBatchCapabilities(answer: unknown, chainId: ChainId): BatchCapabilities {
  const { atomic, atomicBatch, sponsorship } = getCapabilitiesOf(answer, chainId)
  const status = String(toObject(atomic).status).toLowerCase()
  const isKnown = status === 'supported' || status === 'ready' || status === 'unsupported'
  const isSupported = isTrue(atomic) || isTrue(atomicBatch)
  return {
    atomic: isKnown ? status : isSupported ? 'supported' : 'unsupported',
    isSponsored: isTrue(sponsorship),
  }
}

const isTrue = (capability: unknown) => toObject(capability).supported === true

const toObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
