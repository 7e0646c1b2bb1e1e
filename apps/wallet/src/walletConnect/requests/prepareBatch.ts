import { isError } from '@latchkey/wire'
import * as z from 'zod/mini'
import type { Chain, Config } from '../../config.ts'
import type { Call, Outcome } from '../../extension/protocol.ts'
import { invalidParams } from '../../requests/parameters.ts'
import { prepareTransaction } from '../../requests/prepareTransaction.ts'
import type { PreparedRequest, Row, WalletRequest } from '../../requests/walletRequest.ts'
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

const maxCalls = 10
const maxBatches = 50

const hexNumber = z.string().check(z.regex(/^0x[0-9a-f]{1,64}$/i))
const capabilities = z.optional(z.record(z.string(), z.unknown()))

const schema = z.object({
  version: z.optional(z.string()),
  id: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  chainId: hexNumber,
  atomicRequired: z.optional(z.boolean()),
  calls: z
    .array(
      z.object({
        to: z.optional(z.string()),
        value: z.optional(hexNumber),
        data: z.optional(z.string()),
        capabilities,
      }),
    )
    .check(z.minLength(1), z.maxLength(maxCalls)),
  capabilities,
})

/** wallet_sendCalls (EIP-5792): one transaction after another, never as one; so what requires that is refused. */
export async function prepareBatch(
  ask: WalletRequest & { topic: string; requestId: number },
): Promise<PreparedRequest | Outcome> {
  const { call, config, state, topic, requestId } = ask
  const parsed = z.safeParse(schema, Array.isArray(call.params) ? call.params[0] : undefined)
  if (!parsed.success) throw invalidParams('calls')
  const { chainId, id = `latchkey-${requestId}`, calls, atomicRequired } = parsed.data
  if (atomicRequired) return fail(5760, 'Atomicity not supported')
  if (hasNeeded(parsed.data) || calls.some(hasNeeded)) return fail(5700, 'Capability not supported')
  const chain = currentChain(config, state)
  if (Number(chainId) !== chain.chainId)
    return fail(5710, 'The chain of the batch is not that of the request')
  const key = batchKey(topic, id)
  const savedBatch = readState().batches[key]
  // A window that was closed while it sent has not answered: what was sent must not be sent again.
  if (savedBatch)
    return savedBatch.requestId === requestId ? { result: { id } } : fail(5720, 'Duplicate ID')

  const from = currentAccount(state)
  const transactions = calls.map(
    ({ to, value, data }): Call => ({
      method: 'eth_sendTransaction',
      params: [{ from, ...(to && { to }), ...(value && { value }), ...(data && { data }) }],
    }),
  )
  const rows: Row[] = []
  for (const [index, one] of transactions.entries())
    rows.push(...(await readRows({ config, state, call: one }, index)))
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

/** One call of a batch in words; a later one may only be possible when those before it are done. */
async function readRows(
  one: Pick<WalletRequest, 'call' | 'config' | 'state'>,
  index: number,
): Promise<Row[]> {
  const { rows } = await prepareTransaction(one).catch(async (error: unknown) => {
    if (index === 0 || !isError(error, 'RPC_FAILED')) throw error
    const [requested] = one.call.params as [Record<string, unknown>]
    const blind = { ...one, call: { ...one.call, params: [{ ...requested, gas: '0x0' }] } }
    const { rows } = await prepareTransaction(blind)
    return {
      rows: rows.map((row) =>
        row.label === 'Highest fee' ? { label: row.label, value: texts.feeUnknown } : row,
      ),
    }
  })
  return rows
    .filter(({ label }) => label !== 'Network' && label !== 'Account')
    .map((row) => ({ ...row, label: `${index + 1} · ${row.label}` }))
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
        [key, { chainId: chain.chainId, requestId, hashes: [...hashes], step, atMs: Date.now() }],
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

const hasNeeded = ({ capabilities }: { capabilities?: Record<string, unknown> | undefined }) =>
  Object.values(capabilities ?? {}).some(
    (one) =>
      !(typeof one === 'object' && one !== null && 'optional' in one && one.optional === true),
  )
