import { formatBitcoinScript } from '@latchkey/wire/bitcoin'
import type { Transaction } from '@scure/btc-signer'
import { formatUnits } from 'viem'
import { invalidParams } from '../requests/parameters.ts'
import type { Row } from '../requests/walletRequest.ts'

/** An input or output for display. */
export type Part = { address: string | undefined; value: bigint }

/**
 * Describes the payments to others and the change. `sent` is the total paid to others, `fee` the
 * difference of inputs and outputs, all in satoshis.
 */
export function describeTransaction(parameters: {
  inputs: readonly Part[]
  outputs: readonly Part[]
  own: readonly string[]
}): { rows: Row[]; sent: bigint; fee: bigint } {
  const { inputs, outputs, own } = parameters
  const isOwn = ({ address }: Part) => address !== undefined && own.includes(address)
  const lines = (parts: readonly Part[], label: (part: Part) => string): Row[] =>
    parts.map((part, at) => ({
      label: `${at + 1}. ${label(part)}`,
      value: `${toBtc(part.value)}${part.address ? ` · ${part.address}` : ''}`,
    }))
  const others = outputs.filter((part) => !isOwn(part))
  const rows = [
    ...lines(outputs, (part) =>
      isOwn(part) ? 'Back to you' : part.address ? 'Pays' : 'Data, or an unusual script',
    ),
    ...lines(inputs, (part) => (isOwn(part) ? 'Spends yours' : 'Spends somebody else’s')),
  ]
  return { rows, sent: sum(others), fee: sum(inputs) - sum(outputs) }
}

const sum = (parts: readonly Part[]) => parts.reduce((total, { value }) => total + value, 0n)

/** Formats satoshis in bitcoin, with the unit. */
export const toBtc = (value: bigint) => `${formatUnits(value, 8)} BTC`

/**
 * The outputs that a transaction spends. Throws INVALID_PARAMS if an input does not contain its
 * output.
 */
export const readInputs = (transaction: Transaction): Part[] =>
  Array.from({ length: transaction.inputsLength }, (_, at) => {
    const { witnessUtxo } = transaction.getInput(at)
    if (!witnessUtxo) throw invalidParams('psbt')
    return {
      address: formatBitcoinScript(witnessUtxo.script, 'regtest'),
      value: witnessUtxo.amount,
    }
  })

/** The outputs of a transaction. */
export const readOutputs = (transaction: Transaction): Part[] =>
  Array.from({ length: transaction.outputsLength }, (_, at) => {
    const { script = new Uint8Array(), amount = 0n } = transaction.getOutput(at)
    return { address: formatBitcoinScript(script, 'regtest'), value: amount }
  })
