import type { Chain, Config } from '../config.ts'
import type { Call } from '../extension/protocol.ts'
import { prepareTransaction } from '../requests/prepareTransaction.ts'
import type { PreparedRequest, WalletRequest } from '../requests/walletRequest.ts'
import { type Batch, currentAccount, currentChain, keepBatch, type State } from '../state.ts'
import { texts } from '../texts.ts'
import { type BatchWork, describeTransactions, toTransactions } from './batchCalls.ts'
import { waitForReceipt } from './readBatch.ts'

/** The calls of a batch as transactions, one after another. */
export async function prepareOneByOne(
  { config, state }: WalletRequest,
  { batch, id, key, requestId }: BatchWork,
): Promise<PreparedRequest> {
  const chain = currentChain(config, state)
  const from = currentAccount(state)
  const transactions = toTransactions(batch, from)
  const rows = await describeTransactions(transactions, { config, state })
  return {
    title: texts.sendBatch(transactions.length),
    warning: transactions.length > 1 ? texts.notAtomic : '',
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

/** Sends each transaction after its predecessor is in a block. Throws if the first is not sent. */
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
  const { chainId } = chain
  const keep = (step: Batch['step']) =>
    keepBatch(key, { chainId, requestId, hashes: [...hashes], step, isAtomic: false })
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
