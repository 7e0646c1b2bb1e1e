import * as z from 'zod'
import { programs, solanaChain } from '../definition.ts'
import { blockhashLifetime } from '../state/createSlots.ts'
import type { SolanaChain } from '../state/openChain.ts'
import {
  apiVersion,
  checkContext,
  config,
  type Methods,
  parseParams,
  withContext,
} from './params.ts'
import { RpcError } from './rpcError.ts'

const slotsPerEpoch = 432_000
const slotSchema = z.int().min(0)

/** Methods about the chain itself and its time. */
export const blockMethods: Methods = {
  getGenesisHash: () => solanaChain.genesisHash,
  getHealth: () => 'ok',
  getVersion: () => ({ 'solana-core': apiVersion, 'feature-set': 0 }),
  getIdentity: () => ({ identity: programs.system }),
  getSlot: (chain, params) => readSlot(chain, params),
  // Every slot has its block here.
  getBlockHeight: (chain, params) => readSlot(chain, params),
  getFirstAvailableBlock: () => 0,
  getTransactionCount: (chain) => chain.ledger.count(),
  getEpochInfo: (chain, params) => {
    const slot = readSlot(chain, params)
    const epoch = Math.floor(slot / slotsPerEpoch)
    const facts = { absoluteSlot: slot, blockHeight: slot, epoch, slotIndex: slot % slotsPerEpoch }
    return { ...facts, slotsInEpoch: slotsPerEpoch, transactionCount: chain.ledger.count() }
  },
  getLatestBlockhash: (chain, params) => {
    const slot = readSlot(chain, params)
    const blockhash = chain.slots.blockhash(slot)
    return withContext(chain, { blockhash, lastValidBlockHeight: slot + blockhashLifetime })
  },
  isBlockhashValid: (chain, params) => {
    const [blockhash, { minContextSlot }] = parseParams(
      z.tuple([z.string(), config], z.any()),
      params,
    )
    checkContext(chain, minContextSlot)
    return withContext(chain, chain.slots.isRecent(blockhash))
  },
  getBlockTime: (chain, params) => {
    const [slot] = parseParams(z.tuple([slotSchema], z.any()), params)
    if (slot > chain.slots.current())
      throw new RpcError(-32004, `Block not available for slot ${slot}`)
    return chain.ledger.ofSlot(slot)[0]?.time ?? chain.slots.time(slot)
  },
  getRecentPrioritizationFees: (chain) => {
    const slot = chain.slots.current()
    const count = Math.min(blockhashLifetime, slot + 1)
    const first = slot - count + 1
    return Array.from({ length: count }, (_, index) => ({
      slot: first + index,
      prioritizationFee: 0,
    }))
  },
  /**
   * A method of this chain alone: lets slots pass at once, so that a blockhash expires or a
   * transaction becomes final.
   */
  latchkey_skipSlots: (chain, params) => {
    const [count] = parseParams(z.tuple([z.int().min(1).max(1_000_000)], z.any()), params)
    chain.skipSlots(count)
    return chain.slots.current()
  },
}

function readSlot(chain: SolanaChain, params: unknown): number {
  const [{ minContextSlot }] = parseParams(z.tuple([config], z.any()), params)
  checkContext(chain, minContextSlot)
  return chain.slots.current()
}
