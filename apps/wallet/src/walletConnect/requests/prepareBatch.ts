import type { Chain, Config } from '../../config.ts'
import type { Call, Outcome } from '../../extension/protocol.ts'
import {
  describeTransactions,
  needsCapability,
  parseBatch,
  toTransactions,
} from '../../requests/batchCalls.ts'
import { prepareTransaction } from '../../requests/prepareTransaction.ts'
import type { PreparedRequest, WalletRequest } from '../../requests/walletRequest.ts'
import {
  type Batch,
  changeState,
  currentAccount,
  currentChain,
  readState,
  type State,
} from '../../state.ts'
import { texts } from '../texts.ts'
import { batchKey, fail, waitForReceipt } from './readBatch.ts'

const maxBatches = 50

/** wallet_sendCalls (EIP-5792): one transaction after another, never as one; so what requires that is refused. */
export async function prepareBatch(
  ask: WalletRequest & { topic: string; requestId: number },
): Promise<PreparedRequest | Outcome> {
  const { call, config, state, topic, requestId } = ask
  const batch = parseBatch(call)
  const { chainId, id = `latchkey-${requestId}`, calls, atomicRequired } = batch
  if (atomicRequired) return fail(5760, 'Atomicity not supported')
  if (needsCapability(batch)) return fail(5700, 'Capability not supported')
  const chain = currentChain(config, state)
  if (Number(chainId) !== chain.chainId)
    return fail(5710, 'The chain of the batch is not that of the request')
  const key = batchKey(topic, id)
  const savedBatch = readState().batches[key]
  // A window that was closed while it sent has not answered: what was sent must not be sent again.
  if (savedBatch)
    return savedBatch.requestId === requestId ? { result: { id } } : fail(5720, 'Duplicate ID')

  const from = currentAccount(state)
  const transactions = toTransactions(batch, from)
  const rows = await describeTransactions(transactions, { config, state })
  return {
    title: texts.sendBatch(calls.length),
    warning: calls.length > 1 ? texts.notAtomic : '',
    rows: [
      { label: 'Network', value: `${chain.name} (${chain.chainId})` },
      { label: 'Account', value: from },
      ...rows,
    ],
    approve: async () => {
      await sendAll({ config, state, chain, key, requestId, transactions })
      return { id }
    },
  }
}

/** Sends each when the one before it is in a block. Throws when not even the first was sent. */
async function sendAll(batch: {
  config: Config
  state: State
  chain: Chain
  key: string
  requestId: number
  transactions: readonly Call[]
}): Promise<void> {
  const { config, state, chain, key, requestId, transactions } = batch
  const hashes: string[] = []
  const keep = (step: Batch['step']) =>
    changeState(({ batches }) => ({
      batches: Object.fromEntries([
        ...Object.entries(batches)
          .filter(([one]) => one !== key)
          .slice(1 - maxBatches),
        [
          key,
          {
            ...{ chainId: chain.chainId, requestId, hashes: [...hashes], step, isAtomic: false },
            atMs: Date.now(),
          },
        ],
      ]),
    }))
  for (const call of transactions) {
    try {
      const prepared = await prepareTransaction({ call, config, state })
      hashes.push(String(await prepared.approve?.()))
    } catch (error) {
      if (hashes.length === 0) throw error
      return keep('failed')
    }
    keep('sending')
    const receipt = await waitForReceipt(chain, hashes.at(-1) ?? '')
    if (receipt?.status !== '0x1') return keep('failed')
  }
  keep('sent')
}
