import { LatchkeyError } from '@latchkey/wire'
import { parseBitcoinAddress } from '@latchkey/wire/bitcoin'
import { selectUTXO } from '@scure/btc-signer'
import { bytesToHex, formatUnits, hexToBytes } from 'viem'
import * as z from 'zod/mini'
import type { BitcoinChain } from '../config.ts'
import { invalidParams, parseParams } from '../requests/parameters.ts'
import type { PreparedRequest, WalletRequest } from '../requests/walletRequest.ts'
import { getBitcoinAddresses } from './accounts.ts'
import { describeTransaction, readInputs, readOutputs, toBtc } from './describeTransaction.ts'
import { signInputs } from './signBitcoin.ts'

const timeoutMs = 20_000
/** The number of blocks within which the transfer should confirm. */
const targetBlocks = '6'
const regtest = { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef }

const transferParams = z.object({
  account: z.optional(z.string()),
  recipientAddress: z.string(),
  /** In satoshis. */
  amount: z.string().check(z.regex(/^[1-9]\d{0,15}$/)),
})
const coins = z.array(
  z.object({
    txid: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
    vout: z.int().check(z.minimum(0)),
    value: z.int().check(z.minimum(0)),
  }),
)
const rates = z.record(z.string(), z.number())

/**
 * Prepares a transfer that the wallet builds itself. It only spends from the payment address, so
 * that no inscription is spent, and the change goes back to it. Throws INVALID_PARAMS,
 * AMOUNT_IS_DUST, INSUFFICIENT_FUNDS and RPC_FAILED.
 */
export async function prepareTransfer({
  call,
  chain,
  state,
}: WalletRequest & { chain: BitcoinChain }): Promise<PreparedRequest> {
  const { account, recipientAddress, amount } = parseParams(transferParams, call.params)
  const [own] = getBitcoinAddresses(state.account)
  const script = parseBitcoinAddress(own.address, 'regtest')?.script
  if (!script || (account !== undefined && account !== own.address)) throw invalidParams('account')
  const receiver = parseBitcoinAddress(recipientAddress, 'regtest')
  if (!receiver) throw invalidParams('recipientAddress')
  const dustLimit = getDustLimit(receiver.script)
  if (BigInt(amount) < dustLimit)
    throw new LatchkeyError('AMOUNT_IS_DUST', {
      data: { amount: formatUnits(dustLimit, 8), symbol: 'BTC' },
    })
  const [found, estimates] = await Promise.all([
    callEsplora(chain, `/address/${own.address}/utxo`).then((text) => parseAnswer(coins, text)),
    callEsplora(chain, '/fee-estimates').then((text) => parseAnswer(rates, text)),
  ])
  const selected = selectUTXO(
    found.map(({ txid, vout, value }) => ({
      txid: hexToBytes(`0x${txid}`),
      index: vout,
      witnessUtxo: { script, amount: BigInt(value) },
    })),
    [{ address: recipientAddress, amount: BigInt(amount) }],
    'default',
    {
      changeAddress: own.address,
      feePerByte: BigInt(Math.ceil(estimates[targetBlocks] ?? 1)),
      network: regtest,
      createTx: true,
    },
  )
  const transaction = selected?.tx
  if (!transaction) throw new LatchkeyError('INSUFFICIENT_FUNDS')
  const inputs = readInputs(transaction)
  const { rows, fee } = describeTransaction({
    inputs,
    outputs: readOutputs(transaction),
    own: [own.address],
  })
  return {
    title: 'Send bitcoin?',
    rows: [...rows, { label: 'Fee', value: toBtc(fee) }, { label: 'Network', value: chain.name }],
    approve: async () => {
      signInputs(transaction, { index: state.account, inputs: inputs.map((_, at) => at) })
      transaction.finalize()
      const body = bytesToHex(transaction.extract()).slice(2)
      return { txid: await callEsplora(chain, '/tx', body) }
    },
  }
}

/**
 * The minimum output that nodes relay, in satoshis: the cost of spending the output at 3 satoshis
 * per byte, less with a witness.
 */
const getDustLimit = (script: Uint8Array) =>
  BigInt(3 * (9 + script.length + (script[0] === 0x76 || script[0] === 0xa9 ? 148 : 67)))

/**
 * Sends a request to the node and returns the response's body. A `body` makes it a POST. Throws
 * RPC_FAILED.
 */
async function callEsplora(chain: BitcoinChain, path: string, body?: string): Promise<string> {
  try {
    const response = await fetch(`${chain.esploraUrl}${path}`, {
      ...(body !== undefined && { method: 'POST', body }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await response.text()
    if (response.ok) return text
    throw new LatchkeyError('RPC_FAILED', { data: { reason: text.slice(0, 200) } })
  } catch (cause) {
    if (cause instanceof LatchkeyError) throw cause
    const reason = `The node of ${chain.name} does not answer`
    throw new LatchkeyError('RPC_FAILED', { data: { reason }, cause })
  }
}

function parseAnswer<Schema extends z.ZodMiniType>(schema: Schema, text: string): z.output<Schema> {
  try {
    return z.parse(schema, JSON.parse(text))
  } catch (cause) {
    const reason = 'The node answers something else than Esplora'
    throw new LatchkeyError('RPC_FAILED', { data: { reason }, cause })
  }
}
