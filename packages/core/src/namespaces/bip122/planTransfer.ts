import { isError, LatchkeyError } from '@latchkey/wire'
import type { Network } from '../../networks.ts'
import { fromSmallestUnit, toSmallestUnit } from '../../units.ts'
import type { Actions } from '../actions.ts'
import type { Amount, FeeChoice, FeeSpeed, Plan, PlanTransferParameters } from '../transferPlan.ts'
import { findBitcoinNetwork, toAddress } from './addresses.ts'
import { type FeeRate, readCoins, readEsploraFeeRates } from './esplora.ts'
import { askForTransfer, signAndSend } from './executeTransfer.ts'
import {
  estimateFee,
  getDustLimit,
  getSmallSats,
  getSpendableCoins,
  type Selection,
  selectCoins,
} from './selectCoins.ts'

/**
 * Checks a transfer and prepares it; see {@link Actions.planTransfer}. Also throws AMOUNT_IS_DUST
 * and COINS_KEPT. Change goes back to the account's address.
 */
export async function planBitcoinTransfer(question: PlanTransferParameters): Promise<Plan> {
  const { node, network, account, to } = question
  const { from, receiver, amountSats } = parseQuestion(question)
  const [coins, rates] = await Promise.all([
    readCoins(node, account.address),
    readEsploraFeeRates(node),
  ])
  const { speed = 'normal', smallCoins } = question
  const select = (rate: number) =>
    selectCoins({ coins, amountSats, from, to: receiver, rate, smallCoins })
  const rate = getRate(rates, speed)
  const smallSats = getSmallSats({ coins, from, rate })
  // Only the wallet has the script behind a P2SH address.
  const isWalletsOwn =
    from.type === 'p2sh' || question.approvedMethods?.includes('signPsbt') === false
  const selection = explainSmallCoins(() => select(rate), {
    network,
    smallSats: smallCoins || isWalletsOwn ? 0n : smallSats,
  })
  const choices = rates.map((rate) => toChoice(rate, { network, select }))
  const amount = getAmount(network, amountSats)
  return {
    account,
    chainId: network.caipNetworkId,
    outflows: [amount],
    fee: { ...getAmount(network, selection.feeSats), payer: 'account' },
    // If the wallet chooses the coins, it also chooses the fee.
    ...(!isWalletsOwn && { feeChoice: { speed, choices }, mayHoldInscriptions: true }),
    ...(!isWalletsOwn && smallSats > 0n && { smallCoins: getAmount(network, smallSats) }),
    ...(selection.feeSats > amountSats && { isFeeAboveAmount: true }),
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

/**
 * The amount that a transaction can send if it spends every coin, at least 0. Throws COINS_KEPT if
 * all coins are small.
 */
export async function getMaxBitcoinSend(
  parameters: Parameters<Actions['maxSend']>[0],
): Promise<bigint> {
  const { node, network, account, to, speed = 'normal', smallCoins } = parameters
  const bitcoinNetwork = findBitcoinNetwork(network)
  const from = toAddress(account.address, bitcoinNetwork)
  const [all, rates] = await Promise.all([
    readCoins(node, account.address),
    readEsploraFeeRates(node),
  ])
  const rate = getRate(rates, speed)
  const coins = getSpendableCoins({ coins: all, from, rate, smallCoins })
  const outputs = [toAddress(to, bitcoinNetwork)]
  const total = coins.reduce((sum, { value }) => sum + value, 0n)
  const left = total - estimateFee({ inputs: coins.length, from, outputs, rate })
  if (left > 0n) return left
  const smallSats = smallCoins ? 0n : getSmallSats({ coins: all, from, rate })
  if (smallSats > 0n) throw smallCoinsKept(network, smallSats)
  return 0n
}

const getRate = (rates: readonly FeeRate[], speed: FeeSpeed) =>
  rates.find((one) => one.speed === speed)?.rate ?? 1

/** Adds a hint if the missing funds could be small coins, which are only spent on request. */
function explainSmallCoins<T>(
  select: () => T,
  { network, smallSats }: { network: Network; smallSats: bigint },
): T {
  try {
    return select()
  } catch (error) {
    if (smallSats === 0n || !isError(error, 'INSUFFICIENT_FUNDS')) throw error
    throw smallCoinsKept(network, smallSats)
  }
}

function smallCoinsKept({ nativeCurrency: { decimals, symbol } }: Network, smallSats: bigint) {
  const data = { amount: fromSmallestUnit(smallSats, decimals), symbol }
  return new LatchkeyError('COINS_KEPT', { data })
}

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

function parseQuestion({ network, account, to, amount, token }: PlanTransferParameters) {
  if (!to || !amount || token.address !== undefined) throw new LatchkeyError('INVALID_SEND_INPUT')
  const bitcoinNetwork = findBitcoinNetwork(network)
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
