import { type Address, type Hex, parseGwei, toHex } from 'viem'
import { z } from 'zod'
import { callRpc } from './rpc.ts'

/** A payment to send. Default: an ETH transfer of 1 wei. */
type Payment = { readonly to: Address; readonly value?: bigint; readonly data?: Hex }

const batchSize = 500
const quantity = z.string().regex(/^0x[0-9a-f]+$/)
const batchSchema = z.array(z.object({ error: z.object({ message: z.string() }).optional() }))
// More than the base fee after dozens of full blocks.
const gasPrice = toHex(parseGwei('500'))

/**
 * Sends `count` transactions of a development account to a local anvil and mines them in blocks of
 * `perBlock`, some thousand per second. Afterwards the chain again mines a block per transaction.
 * Throws the node's error.
 */
export async function sendMany(parameters: {
  url: string
  from: Address
  count: number
  payment: (index: number) => Payment
  /** The maximum that fits: 1 400 transfers of ether, or 500 of tokens. */
  perBlock?: number
  /** Gas of one transaction. Default: the gas of a transfer. */
  gas?: bigint
}): Promise<void> {
  const { url, from, count, payment, perBlock = 500, gas = 21_000n } = parameters
  const nonce = quantity.parse(await callRpc(url, 'eth_getTransactionCount', [from, 'pending']))
  await callRpc(url, 'evm_setAutomine', [false])
  try {
    for (let start = 0; start < count; start += perBlock) {
      const end = Math.min(count, start + perBlock)
      const calls = Array.from({ length: end - start }, (_, offset) => {
        const { to, value = 1n, data } = payment(start + offset)
        const place = toHex(Number(nonce) + start + offset)
        return { from, to, value: toHex(value), data, nonce: place, gas: toHex(gas), gasPrice }
      })
      await sendAll(url, calls)
      await callRpc(url, 'evm_mine', [])
    }
  } finally {
    await callRpc(url, 'evm_setAutomine', [true])
  }
}

async function sendAll(url: string, transactions: readonly object[]) {
  for (let start = 0; start < transactions.length; start += batchSize) {
    const calls = transactions.slice(start, start + batchSize)
    const body = calls.map((transaction, id) => {
      const call = { jsonrpc: '2.0', id, method: 'eth_sendTransaction', params: [transaction] }
      return call
    })
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const failed = batchSchema.parse(await response.json()).find(({ error }) => error)
    if (failed?.error) throw new Error(`eth_sendTransaction: ${failed.error.message}`)
  }
}
