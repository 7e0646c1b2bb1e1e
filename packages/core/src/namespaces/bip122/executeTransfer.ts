import { bytesToHex, LatchkeyError } from '@latchkey/wire'
import {
  type BitcoinAddress,
  type BitcoinTransaction,
  createPsbt,
  encodeBitcoinTransaction,
  encodeOutput,
  hexToBytes,
  type PsbtField,
} from '@latchkey/wire/bitcoin'
import type { Request } from '../request.ts'
import type { PlanTransferParameters } from '../transferPlan.ts'
import { broadcastBitcoin, type Coin, readBitcoinTransaction, readOutputValues } from './esplora.ts'
import { finalizePsbt } from './finalizePsbt.ts'
import { insertSignatures } from './insertSignatures.ts'
import { formatPsbt, inputFields, parsePsbt } from './parsePsbt.ts'
import type { Selection } from './selectCoins.ts'

type Transfer = {
  question: PlanTransferParameters
  from: BitcoinAddress
  receiver: BitcoinAddress
  amountSats: bigint
  selection: Selection
}

export async function signAndSend(transfer: Transfer) {
  const { question, from, selection } = transfer
  const { wallet, node, account } = question
  const { coins } = selection
  const fields: PsbtField[][] = []
  for (const coin of coins) fields.push([await describeInput({ node, coin, from })])
  // Reading the transaction again compares the node's data with the transaction's id.
  const psbt = parsePsbt(formatPsbt(createPsbt(buildTransaction(transfer), fields)))
  const isTaproot = from.type === 'p2tr'
  const signInputs = coins.map((_, index) => ({
    address: account.address,
    index,
    ...(!isTaproot && { sighashTypes: [1] }),
  }))
  const answer = await wallet('signPsbt', {
    account: account.address,
    psbt: formatPsbt(psbt),
    signInputs,
    broadcast: false,
  })
  const signed = insertSignatures({
    psbt,
    inputs: coins.map((_, index) => ({ index, sighashTypes: isTaproot ? [0, 1] : [1] })),
    answer: (answer as { psbt?: unknown } | null)?.psbt,
  })
  return broadcastBitcoin(node, bytesToHex(encodeBitcoinTransaction(finalizePsbt(signed))))
}

/**
 * The sequence number of every input: the fee can be raised later (BIP-125), and the input has no
 * relative lock time.
 */
const sequence = 0xffff_fffd

const buildTransaction = ({
  from,
  receiver,
  amountSats,
  selection: { coins, changeSats },
}: Transfer): BitcoinTransaction => ({
  version: 2,
  inputs: coins.map(({ txid, vout: index }) => ({
    txid: hexToBytes(txid).reverse(),
    index,
    script: new Uint8Array(),
    sequence,
    witness: [],
  })),
  outputs: [
    { value: amountSats, script: receiver.script },
    ...(changeSats > 0n ? [{ value: changeSats, script: from.script }] : []),
  ],
  lockTime: 0,
})

async function describeInput({
  node,
  coin,
  from,
}: {
  node: Request
  coin: Coin
  from: BitcoinAddress
}): Promise<PsbtField> {
  const data = new Uint8Array()
  if (from.type !== 'p2pkh') {
    const value = encodeOutput({ value: coin.value, script: from.script })
    return { type: inputFields.spent, data, value }
  }
  // A P2PKH signature does not cover the amount, so the wallet needs the whole transaction.
  const value = hexToBytes(await readBitcoinTransaction(node, coin.txid))
  return { type: inputFields.previous, data, value }
}

/** Has the wallet choose coins and fee itself. */
export async function askForTransfer({ question, receiver, amountSats }: Transfer) {
  const { wallet, node, account, to } = question
  const answer = await wallet('sendTransfer', {
    account: account.address,
    recipientAddress: to,
    amount: String(amountSats),
    changeAddress: account.address,
  })
  const { txid: id } = (answer ?? {}) as { txid?: unknown }
  if (typeof id !== 'string' || !/^[0-9a-f]{64}$/i.test(id))
    throw new LatchkeyError('WALLET_ANSWER_INVALID')
  const txid = id.toLowerCase()
  const outputs = await readOutputValues(node, txid).catch(() => undefined)
  const script = bytesToHex(receiver.script)
  const pays = outputs?.some(
    ({ scriptpubkey, value }) => scriptpubkey === script && value === amountSats,
  )
  // The node may not have received the transaction yet.
  if (pays === false) throw new LatchkeyError('WALLET_ANSWER_INVALID')
  return txid
}
