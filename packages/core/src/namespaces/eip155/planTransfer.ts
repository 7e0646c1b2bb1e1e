import {
  addGasMargin,
  type FeeFields,
  getFee,
  isError,
  LatchkeyError,
  readFeeRates,
} from '@latchkey/wire'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import type { Network } from '../../networks.ts'
import { toSmallestUnit } from '../../units.ts'
import type { Actions, Amount, Plan, Request, SendToken, TransferQuestion } from '../actions.ts'
import { encodeNftTransfer, getNftBalance, isContract, isTokenId } from './nft.ts'
import { isAddress, readBalance, toBigInt, toHex } from './values.ts'

/** Checks a sending and prepares it; see the type. */
export async function planTransfer(question: TransferQuestion): Promise<Plan> {
  const { wallet, node, network, account, to, token } = question
  const from = account.address
  const amountWei = parseAmount(question)
  const transaction = buildTransaction({ from, to, token }, amountWei)
  const [balanceWei, tokenWei, rates, isToContract] = await Promise.all([
    readBalance({ node, address: from }),
    token.address ? holding(node, token, from) : undefined,
    readFeeRates(node),
    token.nft ? isContract(node, to) : false,
  ])
  const isSponsored = account.type === 'smartAccount'
  // An account with nothing cannot pay any fee.
  if (balanceWei === 0n && !isSponsored) throw insufficientGas(network)
  if (amountWei > (tokenWei ?? balanceWei)) throw new LatchkeyError('INSUFFICIENT_FUNDS')
  const gas = addGasMargin(await estimateGas(node, transaction))
  const spentWei = token.address ? 0n : amountWei
  const fee = getFee({
    rates,
    gas,
    ...(!isSponsored && { availableWei: balanceWei - spentWei }),
  })
  const feeWei = fee.maxFeeWei
  if (feeWei > balanceWei && !isSponsored) throw insufficientGas(network)
  if (!isSponsored && spentWei + feeWei > balanceWei) throw new LatchkeyError('INSUFFICIENT_FUNDS')
  const amount = getAmount(network, token, amountWei)
  const chainId = toHex(BigInt(network.id))
  return {
    account,
    chainId: network.caipNetworkId,
    outflows: [amount],
    fee: {
      ...getAmount(network, network.nativeCurrency, feeWei),
      payer: isSponsored ? 'sponsor' : 'account',
    },
    steps: [{ kind: 'transfer', to, amount, isToContract }],
    async execute(signal) {
      if (signal.aborted) throw new LatchkeyError('ABORTED')
      return submit(wallet, { ...transaction, ...hexFields(fee.fields), gas: toHex(gas), chainId })
    },
  }
}

/** An amount with its asset's id (CAIP-19). */
function getAmount(network: Network, token: SendToken, value: bigint): Amount {
  const { address, nft, decimals, symbol } = token
  const asset = nft
    ? `${nft.standard}:${address}/${nft.tokenId}`
    : address
      ? `erc20:${address}`
      : 'slip44:60'
  return { assetId: `${network.caipNetworkId}/${asset}`, value, decimals, symbol }
}

function parseAmount({ to, amount, token }: TransferQuestion) {
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
  { from, to, token }: Pick<TransferQuestion, 'to' | 'token'> & { from: string },
  amountWei: bigint,
): Transaction {
  if (!token.address) return { from, to, value: toHex(amountWei) }
  if (token.nft) {
    const data = encodeNftTransfer(token.nft, { from, to, amount: amountWei })
    return { from, to: token.address, value: '0x0', data }
  }
  const args = [to as Hex, amountWei] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  return { from, to: token.address, value: '0x0', data }
}

/** The whole balance of a token; of the native currency what the fee leaves, at least 0. */
export async function maxSend(parameters: Parameters<Actions['maxSend']>[0]) {
  const { node, account, to, token } = parameters
  const from = account.address
  if (token.address) return holding(node, token, from)
  const receiver = isAddress(to) ? to : from
  const [balanceWei, rates, estimate] = await Promise.all([
    readBalance({ node, address: from }),
    readFeeRates(node),
    estimateGas(node, { from, to: receiver, value: '0x0' }),
  ])
  if (account.type === 'smartAccount') return balanceWei
  const remainingWei = balanceWei - getFee({ rates, gas: addGasMargin(estimate) }).maxFeeWei
  return remainingWei > 0n ? remainingWei : 0n
}

const insufficientGas = ({ nativeCurrency: { symbol } }: Network) =>
  new LatchkeyError('INSUFFICIENT_GAS', { data: { symbol } })

/** Fee fields as JSON-RPC takes them. */
const hexFields = (fields: FeeFields) =>
  'gasPrice' in fields
    ? { gasPrice: toHex(fields.gasPrice) }
    : {
        maxFeePerGas: toHex(fields.maxFeePerGas),
        maxPriorityFeePerGas: toHex(fields.maxPriorityFeePerGas),
      }

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
  nft ? getNftBalance(nft, { node, contract: address, owner }) : tokenBalance(node, address, owner)

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
