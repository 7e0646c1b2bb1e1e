import { LatchkeyError } from '@latchkey/wire'
import { type Address, createNoopSigner } from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import type { Network } from '../../networks.ts'
import { fromSmallestUnit, toSmallestUnit } from '../../units.ts'
import type { Actions } from '../actions.ts'
import type { Amount, Plan, PlanTransferParameters, SendToken } from '../transferPlan.ts'
import { formatSolanaAddress, isSolanaAddress } from './addresses.ts'
import { checkReceiver } from './checkReceiver.ts'
import {
  fitPrice,
  getTransactionFee,
  type PriorityPrice,
  priceTransaction,
  signatureLamports,
} from './fees.ts'
import { compile } from './message.ts'
import { nodeRefused } from './nodeResponses.ts'
import { readMinimum, readTransfer, type TransferFacts } from './readTransfer.ts'
import { sendSolanaTransaction } from './sendTransaction.ts'
import { getAccountSize } from './token.ts'
import {
  checkMint,
  getSources,
  hasPermanentDelegate,
  type TokenTransfer,
  transferTokens,
} from './transferTokens.ts'

/** Checks a transfer and prepares it; see {@link Actions.planTransfer}. */
export async function planSolanaTransfer(parameters: PlanTransferParameters): Promise<Plan> {
  const { node, network, account, token } = parameters
  const { from, to, mint, amount } = parseQuestion(parameters)
  const facts = await readTransfer(parameters, { from, to, mint })
  const isProgramReceiver = checkReceiver(to, facts.receiver)
  if (facts.lamports === 0n) throw insufficientGas(network)
  const transfer = buildTransfer(parameters, facts)
  const [rent, priced] = await Promise.all([
    transfer.createsAccount && facts.token
      ? readMinimum(node, getAccountSize(facts.token.mint))
      : 0n,
    priceTransaction(node, { from, ...facts, instructions: transfer.instructions }),
  ])
  const price = getPrice(parameters, { facts, priced, spent: rent + (mint ? 0n : amount) })
  if (priced.failure !== undefined)
    throw nodeRefused(`The network would refuse this transfer: ${priced.failure}`)
  const outflow = getAmount(network, token, amount)
  const received = getAmount(network, token, transfer.received)
  const native = (value: bigint) => getAmount(network, network.nativeCurrency, value)
  return {
    account,
    chainId: network.caipNetworkId,
    outflows: [outflow],
    fee: { ...native(getTransactionFee(price)), payer: 'account' },
    ...(rent > 0n && { deposit: native(rent) }),
    ...(facts.token && hasPermanentDelegate(facts.token.mint) && { isRevocable: true }),
    steps: [
      {
        kind: 'transfer',
        to,
        amount: outflow,
        isToContract: isProgramReceiver,
        ...(transfer.received !== amount && { received }),
      },
    ],
    execute: (signal) =>
      sendSolanaTransaction({
        ...parameters,
        from,
        signal,
        compile: (lifetime) =>
          compile({ from, instructions: transfer.instructions, budget: price, lifetime }),
      }),
  }
}

/**
 * The whole balance of a token; for SOL, the balance minus the fee and the rent-exempt minimum. The
 * account is not emptied to the last lamport, because the wallet may choose another fee.
 */
export async function getMaxSolanaSend(
  parameters: Parameters<Actions['maxSend']>[0],
): Promise<bigint> {
  const { node, account, token } = parameters
  const from = formatSolanaAddress(account.address)
  const to = isSolanaAddress(parameters.to) ? parameters.to : from
  const mint = token.address === undefined ? undefined : formatSolanaAddress(token.address)
  const facts = await readTransfer(parameters, { from, to, mint })
  if (facts.token)
    return getSources(facts.token.accounts).reduce((sum, { amount }) => sum + amount, 0n)
  const spendable = facts.lamports - facts.minimumLamports
  const amount = spendable - signatureLamports
  if (amount <= 0n) return 0n
  const instructions = [transferSol({ from, to, amount })]
  const price = await priceTransaction(node, { from, ...facts, instructions })
  const left = spendable - getTransactionFee(price)
  return left > 0n ? left : 0n
}

function parseQuestion({ account, to, amount, token }: PlanTransferParameters) {
  if (!to || !amount || token.nft) throw new LatchkeyError('INVALID_SEND_INPUT')
  if (token.address !== undefined && !isSolanaAddress(token.address))
    throw new LatchkeyError('INVALID_SEND_INPUT')
  const units = toSmallestUnit(amount, token.decimals)
  if (units === 0n) throw new LatchkeyError('INVALID_SEND_INPUT')
  return {
    from: formatSolanaAddress(account.address),
    to: formatSolanaAddress(to),
    mint: token.address,
    amount: units,
  }
}

/**
 * Throws INSUFFICIENT_FUNDS, TRANSFER_REFUSED, ANSWER_INVALID and what {@link transferTokens}
 * throws.
 */
function buildTransfer(
  parameters: PlanTransferParameters,
  { lamports, receiver, minimumLamports, token }: TransferFacts,
): TokenTransfer {
  const { network, token: asset } = parameters
  const { from, to, amount } = parseQuestion(parameters)
  if (token) {
    // Server and node disagree, so the sent amount would differ from the shown amount.
    if (token.mint.decimals !== asset.decimals) throw new LatchkeyError('ANSWER_INVALID')
    checkMint(token.mint)
    return transferTokens({ ...token, from, to, amount, sources: getSources(token.accounts) })
  }
  if (amount > lamports) throw new LatchkeyError('INSUFFICIENT_FUNDS')
  if ((receiver?.lamports ?? 0n) + amount < minimumLamports)
    throw nodeRefused(`This receiver takes ${inCurrency(network, minimumLamports)} or more`)
  return {
    instructions: [transferSol({ from, to, amount })],
    received: amount,
    createsAccount: false,
  }
}

/**
 * The price that the account can pay in addition to the amount it sends. Throws INSUFFICIENT_FUNDS,
 * INSUFFICIENT_GAS, TRANSFER_REFUSED.
 */
function getPrice(
  { network, token }: PlanTransferParameters,
  { facts, priced, spent }: { facts: TransferFacts; priced: PriorityPrice; spent: bigint },
): PriorityPrice {
  const { lamports, minimumLamports } = facts
  const price = fitPrice(priced, { lamports: lamports - spent, minimumLamports })
  if (price === 'tooLittle')
    throw token.address ? insufficientGas(network) : new LatchkeyError('INSUFFICIENT_FUNDS')
  if (price === 'belowMinimum')
    throw nodeRefused(`At least ${inCurrency(network, minimumLamports)} has to stay in the account`)
  return price
}

const transferSol = ({ from, to, amount }: { from: Address; to: Address; amount: bigint }) =>
  getTransferSolInstruction({ source: createNoopSigner(from), destination: to, amount })

/** An amount with its asset's id (CAIP-19). */
const getAmount = (network: Network, token: SendToken, value: bigint): Amount => ({
  assetId: `${network.caipNetworkId}/${token.address ? `token:${token.address}` : 'slip44:501'}`,
  value,
  decimals: token.decimals,
  symbol: token.symbol,
})

const inCurrency = ({ nativeCurrency: { symbol, decimals } }: Network, lamports: bigint) =>
  `${fromSmallestUnit(lamports, decimals)} ${symbol}`

const insufficientGas = ({ nativeCurrency: { symbol } }: Network) =>
  new LatchkeyError('INSUFFICIENT_GAS', { data: { symbol } })
