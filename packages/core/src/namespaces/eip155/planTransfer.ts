import { isError, LatchkeyError } from '@latchkey/wire'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import type { Network } from '../../networks.ts'
import { toSmallestUnit } from '../../units.ts'
import type { Chain, Request, SendPlan, SendQuestion, SendToken } from '../namespace.ts'
import { heldOf, isContract, isTokenId, transferData } from './nft.ts'
import { balanceOf, isAddress, toBigInt, toHex } from './values.ts'

/** Fees are asked this much above the present ones, in tenths (spec §9: 1.2). */
const feeMultiplierTenths = 12n

/** Checks a sending and prepares it; see the type. */
export async function prepareSend(question: SendQuestion): Promise<SendPlan> {
  const { wallet, node, network, from, to, token } = question
  const amountWei = parseAmount(question)
  const transaction = buildTransaction(question, amountWei)
  const [balanceWei, tokenWei, asked, isToContract] = await Promise.all([
    balanceOf({ node, address: from }),
    token.address ? holding(node, token, from) : undefined,
    readFees(node),
    token.nft ? isContract(node, to) : false,
  ])
  const isSponsored = question.accountType === 'smartAccount'
  // An account with nothing cannot pay any fee (spec §5).
  if (balanceWei === 0n && !isSponsored) throw insufficientGas(network)
  if (amountWei > (tokenWei ?? balanceWei)) throw new LatchkeyError('INSUFFICIENT_FUNDS')
  const gas = await estimateGas(node, transaction)
  // Amount and fee come out of it together.
  const isOneBalance = !token.address && !isSponsored
  const fees = isOneBalance ? feesWithin(asked, (balanceWei - amountWei) / (gas || 1n)) : asked
  const feeWei = gas * fees.perGasWei
  if (feeWei > balanceWei && !isSponsored) throw insufficientGas(network)
  if (isOneBalance && amountWei + feeWei > balanceWei) throw new LatchkeyError('INSUFFICIENT_FUNDS')
  const chainId = toHex(BigInt(network.id))
  return {
    feeWei,
    amountWei,
    chainId: network.caipNetworkId,
    from,
    to,
    token,
    isToContract,
    submit: () => submit(wallet, { ...transaction, ...fees.fields, gas: toHex(gas), chainId }),
  }
}

function parseAmount({ to, amount, token }: SendQuestion) {
  if (!to || !amount) throw new LatchkeyError('INVALID_SEND_INPUT')
  if (!isAddress(to)) throw new LatchkeyError('INVALID_ADDRESS')
  if (token.address !== undefined && !isAddress(token.address))
    throw new LatchkeyError('INVALID_SEND_INPUT')
  if (token.nft && !(token.address && isTokenId(token.nft.tokenId)))
    throw new LatchkeyError('INVALID_SEND_INPUT')
  const amountWei = toSmallestUnit(amount, token.decimals)
  if (amountWei === 0n) throw new LatchkeyError('INVALID_SEND_INPUT')
  return amountWei
}

type Transaction = { from: string; to: string; value: Hex; data?: Hex }

function buildTransaction(
  { from, to, token }: Pick<SendQuestion, 'from' | 'to' | 'token'>,
  amountWei: bigint,
): Transaction {
  if (!token.address) return { from, to, value: toHex(amountWei) }
  if (token.nft) {
    const data = transferData(token.nft, { from, to, amount: amountWei })
    return { from, to: token.address, value: '0x0', data }
  }
  const args = [to as Hex, amountWei] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  return { from, to: token.address, value: '0x0', data }
}

/** The whole balance of a token; of the native currency what the fee leaves, never less than nothing. */
export async function maxSend(parameters: Parameters<Chain['maxSend']>[0]) {
  const { node, from, to, token } = parameters
  if (token.address) return holding(node, token, from)
  const receiver = isAddress(to) ? to : from
  const [balanceWei, fees, gas] = await Promise.all([
    balanceOf({ node, address: from }),
    readFees(node),
    estimateGas(node, { from, to: receiver, value: '0x0' }),
  ])
  if (parameters.accountType === 'smartAccount') return balanceWei
  const left = balanceWei - withMargin(gas) * fees.perGasWei
  return left > 0n ? left : 0n
}

// A wallet may ask for more than the estimate; what a plain payment takes never changes.
const withMargin = (gas: bigint) => (gas === 21_000n ? gas : (gas * 12n) / 10n)

const insufficientGas = ({ nativeCurrency: { symbol } }: Network) =>
  new LatchkeyError('INSUFFICIENT_GAS', { data: { symbol } })

/** What a unit of gas costs now, the most it may cost, and the fields that say so: EIP-1559 where there is a base fee. */
type Fees = {
  readonly nowWei: bigint
  readonly perGasWei: bigint
  readonly fields: { gasPrice: Hex } | { maxFeePerGas: Hex; maxPriorityFeePerGas: Hex }
}

/** No more than what is left for it, if the network takes that: else all of a balance could be sent only while fees fall. */
function feesWithin(fees: Fees, mostWei: bigint): Fees {
  if (mostWei >= fees.perGasWei || mostWei < fees.nowWei) return fees
  const most = toHex(mostWei)
  const fields =
    'gasPrice' in fees.fields ? { gasPrice: most } : { ...fees.fields, maxFeePerGas: most }
  return { ...fees, perGasWei: mostWei, fields }
}

async function readFees(node: Request): Promise<Fees> {
  const [block, named, price] = await Promise.all([
    node('eth_getBlockByNumber', ['latest', false]),
    node('eth_maxPriorityFeePerGas').then(toBigInt, () => undefined),
    node('eth_gasPrice').then(toBigInt),
  ])
  const base = (block as { baseFeePerGas?: unknown } | null)?.baseFeePerGas
  if (base === undefined || base === null) {
    const perGasWei = raised(price)
    return { nowWei: price, perGasWei, fields: { gasPrice: toHex(perGasWei) } }
  }
  const baseWei = toBigInt(base)
  // Where the node names no tip, what its gas price has above the base fee is one.
  const tip = named ?? (price > baseWei ? price - baseWei : 0n)
  const perGasWei = raised(baseWei) + tip
  const fields = { maxFeePerGas: toHex(perGasWei), maxPriorityFeePerGas: toHex(tip) }
  return { nowWei: baseWei + tip, perGasWei, fields }
}

// Rounded up: a fee that is one wei short is refused.
const raised = (wei: bigint) => (wei * feeMultiplierTenths + 9n) / 10n

async function estimateGas(node: Request, transaction: Transaction) {
  try {
    return toBigInt(await node('eth_estimateGas', [transaction]))
  } catch (error) {
    if (isError(error, 'RPC_FAILED') && /insufficient funds/i.test(error.message))
      throw new LatchkeyError('INSUFFICIENT_FUNDS', { cause: error })
    throw error
  }
}

const holding = (node: Request, { address = '', nft }: SendToken, owner: string) =>
  nft ? heldOf(nft, { node, contract: address, owner }) : tokenBalance(node, address, owner)

async function tokenBalance(node: Request, token: string, owner: string) {
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [owner as Hex],
  })
  return toBigInt(await node('eth_call', [{ to: token, data }, 'latest']))
}

/** eth_sendTransaction, or wallet_sendTransaction for a wallet that does not have it. */
async function submit(wallet: Request, transaction: object) {
  const params = [transaction]
  const hash = await wallet('eth_sendTransaction', params).catch((error) => {
    if (isError(error, 'UNSUPPORTED_METHOD')) return wallet('wallet_sendTransaction', params)
    throw error
  })
  if (typeof hash === 'string' && /^0x[0-9a-fA-F]{64}$/.test(hash)) return hash
  throw new LatchkeyError('WALLET_ANSWER_INVALID')
}
