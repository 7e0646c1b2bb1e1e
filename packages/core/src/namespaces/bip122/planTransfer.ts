import { bytesToHex, isError, LatchkeyError } from '@latchkey/wire'
import {
  type BitcoinAddress,
  type BitcoinTransaction,
  createPsbt,
  encodeOutput,
  encodeTransaction,
  hexToBytes,
  type PsbtField,
} from '@latchkey/wire/bitcoin'
import type { Network } from '../../networks.ts'
import { fromSmallestUnit, toSmallestUnit } from '../../units.ts'
import type {
  Actions,
  Amount,
  FeeChoice,
  FeeSpeed,
  Plan,
  Request,
  TransferQuestion,
} from '../actions.ts'
import { getBitcoinNetwork, toAddress } from './addresses.ts'
import {
  broadcast,
  type Coin,
  type FeeRate,
  readCoins,
  readFeeRates,
  readOutputs,
  readTransaction,
} from './esplora.ts'
import { finalizePsbt } from './finalizePsbt.ts'
import { insertSignatures } from './insertSignatures.ts'
import { formatPsbt, inputFields, parsePsbt } from './parsePsbt.ts'
import { getDustLimit, getFee, getSpendable, type Selection, selectCoins } from './selectCoins.ts'

/**
 * Checks a sending and prepares it; see the type. Throws AMOUNT_IS_DUST for dust and FEE_ABOVE_AMOUNT besides. Change
 * goes back to the account's address.
 */
export async function planTransfer(question: TransferQuestion): Promise<Plan> {
  const { node, network, account, to } = question
  const { from, receiver, amountSats } = parseQuestion(question)
  const [coins, rates] = await Promise.all([readCoins(node, account.address), readFeeRates(node)])
  const select = (rate: number) => {
    const selection = selectCoins({ coins, amountSats, from, to: receiver, rate })
    if (selection.feeSats > amountSats) throw new LatchkeyError('FEE_ABOVE_AMOUNT')
    return selection
  }
  const { speed = 'normal' } = question
  const selection = select(getRate(rates, speed))
  // Nobody but the wallet knows the script inside a P2SH address.
  const isWalletsOwn =
    from.type === 'p2sh' || question.approvedMethods?.includes('signPsbt') === false
  const choices = rates.map((rate) => toChoice(rate, { network, select }))
  const amount = getAmount(network, amountSats)
  return {
    account,
    chainId: network.caipNetworkId,
    outflows: [amount],
    fee: { ...getAmount(network, selection.feeSats), payer: 'account' },
    // If the wallet chooses the coins, it also chooses the fee.
    ...(!isWalletsOwn && { feeChoice: { speed, choices }, mayHoldInscriptions: true }),
    steps: [{ kind: 'transfer', to, amount, isToContract: false }],
    async execute(signal) {
      if (signal.aborted) throw new LatchkeyError('ABORTED')
      const transfer = { question, from, receiver, amountSats, selection }
      if (isWalletsOwn) return askForTransfer(transfer)
      return signAndSend(transfer).catch((error) => {
        if (isError(error, 'UNSUPPORTED_METHOD')) return askForTransfer(transfer)
        throw error
      })
    },
  }
}

/** What a transaction can carry that spends every coin, never less than nothing. */
export async function maxSend(parameters: Parameters<Actions['maxSend']>[0]): Promise<bigint> {
  const { node, network, account, to, speed = 'normal' } = parameters
  const bitcoinNetwork = getBitcoinNetwork(network)
  const from = toAddress(account.address, bitcoinNetwork)
  const [all, rates] = await Promise.all([readCoins(node, account.address), readFeeRates(node)])
  const rate = getRate(rates, speed)
  const coins = getSpendable(all, from, rate)
  const outputs = [toAddress(to, bitcoinNetwork)]
  const total = coins.reduce((sum, { value }) => sum + value, 0n)
  const left = total - getFee({ inputs: coins.length, from, outputs, rate })
  return left > 0n ? left : 0n
}

const getRate = (rates: readonly FeeRate[], speed: FeeSpeed) =>
  rates.find((one) => one.speed === speed)?.rate ?? 1

function toChoice(
  { speed, rate, blocks }: FeeRate,
  { network, select }: { network: Network; select: (rate: number) => Selection },
): FeeChoice {
  try {
    return { speed, blocks, fee: getAmount(network, select(rate).feeSats) }
  } catch {
    return { speed, blocks, fee: undefined }
  }
}

function parseQuestion({ network, account, to, amount, token }: TransferQuestion) {
  if (!to || !amount || token.address !== undefined) throw new LatchkeyError('INVALID_SEND_INPUT')
  const bitcoinNetwork = getBitcoinNetwork(network)
  const from = toAddress(account.address, bitcoinNetwork)
  const receiver = toAddress(to, bitcoinNetwork)
  const { decimals, symbol } = network.nativeCurrency
  const amountSats = toSmallestUnit(amount, decimals)
  if (amountSats === 0n) throw new LatchkeyError('INVALID_SEND_INPUT')
  const dustSats = getDustLimit(receiver)
  if (amountSats < dustSats) {
    const data = { amount: fromSmallestUnit(dustSats, decimals), symbol }
    throw new LatchkeyError('AMOUNT_IS_DUST', { data })
  }
  return { from, receiver, amountSats }
}

/** An amount of bitcoin with its CAIP-19 id; SLIP-44 has one coin type for all test networks. */
function getAmount({ caipNetworkId, nativeCurrency, testnet }: Network, value: bigint): Amount {
  const { decimals, symbol } = nativeCurrency
  return { assetId: `${caipNetworkId}/slip44:${testnet ? 1 : 0}`, value, decimals, symbol }
}

type Transfer = {
  question: TransferQuestion
  from: BitcoinAddress
  receiver: BitcoinAddress
  amountSats: bigint
  selection: Selection
}

async function signAndSend(transfer: Transfer) {
  const { question, from, selection } = transfer
  const { wallet, node, account } = question
  const { coins } = selection
  const fields: PsbtField[][] = []
  for (const coin of coins) fields.push([await describeInput({ node, coin, from })])
  // Reading it again compares what the node has said of a transaction with its id.
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
  return broadcast(node, bytesToHex(encodeTransaction(finalizePsbt(signed))))
}

/** A fee can be raised later (BIP-125), and every input is confirmed at any height. */
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
  // Its signature does not hold the amount, so the wallet must see the whole transaction.
  const value = hexToBytes(await readTransaction(node, coin.txid))
  return { type: inputFields.previous, data, value }
}

/** Has the wallet choose coins and fee itself. */
async function askForTransfer({ question, receiver, amountSats }: Transfer) {
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
  const outputs = await readOutputs(node, txid).catch(() => undefined)
  const script = bytesToHex(receiver.script)
  const pays = outputs?.some(
    ({ scriptpubkey, value }) => scriptpubkey === script && value === amountSats,
  )
  // The node may not have heard of it yet.
  if (pays === false) throw new LatchkeyError('WALLET_ANSWER_INVALID')
  return txid
}
