import {
  addGasMargin,
  getFee,
  isError,
  LatchkeyError,
  readFeeRates,
  readL1Fee,
} from '@latchkey/wire'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { toSmallestUnit } from '../../units.ts'
import type { Actions } from '../actions.ts'
import type { Request } from '../request.ts'
import type { Plan, PlanTransferParameters, SendToken } from '../transferPlan.ts'
import { encodeNftTransfer, getNftBalance, isContract, isTokenId } from './nft.ts'
import {
  estimateTransactionGas,
  getTransactionAmount,
  hexFields,
  insufficientGas,
  readTokenBalance,
  submit,
  type WalletTransaction,
} from './transactions.ts'
import { isEvmAddress, readEvmBalance, toHex } from './values.ts'

/** Checks a transfer and prepares it; see {@link Actions.planTransfer}. */
export async function planEvmTransfer(parameters: PlanTransferParameters): Promise<Plan> {
  const { wallet, node, network, account, isSponsored = false, to, token } = parameters
  const from = account.address
  const amountWei = parseAmount(parameters)
  const transaction = buildTransaction({ from, to, token }, amountWei)
  const spentWei = token.address ? 0n : amountWei
  const [balanceWei, tokenWei, rates, isToContract] = await Promise.all([
    readEvmBalance({ node, address: from }),
    token.address ? holding(node, token, from) : undefined,
    readFeeRates(node, network.id),
    token.nft ? isContract(node, to) : false,
  ])
  const checksFee = account.type !== 'smartAccount'
  // An account with nothing cannot pay any fee.
  if (balanceWei === 0n && checksFee) throw insufficientGas(network)
  if (amountWei > (tokenWei ?? balanceWei)) throw new LatchkeyError('INSUFFICIENT_FUNDS')
  const gas = addGasMargin(
    await estimateTransactionGas(node, transaction).catch((error) => {
      throw isRevert(error) ? refused(parameters) : error
    }),
  )
  const l1FeeWei = await readL1Fee(node, {
    chainId: network.caipNetworkId,
    transactions: [{ ...transaction, value: spentWei, gas }],
  })
  const fee = getFee({
    rates,
    gas,
    l1FeeWei,
    ...(checksFee && { availableWei: balanceWei - spentWei }),
  })
  const feeWei = fee.maxFeeWei
  if (feeWei > balanceWei && checksFee) throw insufficientGas(network)
  if (checksFee && spentWei + feeWei > balanceWei) throw new LatchkeyError('INSUFFICIENT_FUNDS')
  const amount = getTransactionAmount(network, token, amountWei)
  const chainId = toHex(BigInt(network.id))
  return {
    account,
    chainId: network.caipNetworkId,
    outflows: [amount],
    fee: {
      ...getTransactionAmount(network, network.nativeCurrency, feeWei),
      payer: isSponsored ? 'sponsor' : 'account',
    },
    steps: [{ kind: 'transfer', to, amount, isToContract }],
    async execute(signal) {
      if (signal.aborted) throw new LatchkeyError('ABORTED')
      return submit(wallet, { ...transaction, ...hexFields(fee.fields), gas: toHex(gas), chainId })
    },
  }
}

/** Whether a node has found that a contract would revert the transaction. */
const isRevert = (error: unknown) => isError(error, 'RPC_FAILED') && /revert/i.test(error.message)

function refused({ network, token }: PlanTransferParameters) {
  const { symbol } = network.nativeCurrency
  const reason = token.nft
    ? 'The contract of this NFT refuses the transfer to this address'
    : token.address
      ? `The contract of ${token.symbol} refuses this transfer`
      : `This is a contract, and it does not accept ${symbol}`
  return new LatchkeyError('TRANSFER_REFUSED', { data: { reason } })
}

function parseAmount({ to, amount, token }: PlanTransferParameters) {
  if (!to || !amount) throw new LatchkeyError('INVALID_SEND_INPUT')
  if (!isEvmAddress(to)) throw new LatchkeyError('INVALID_ADDRESS')
  if (token.address !== undefined && !isEvmAddress(token.address))
    throw new LatchkeyError('INVALID_SEND_INPUT')
  if (token.nft && !(token.address && isTokenId(token.nft.tokenId)))
    throw new LatchkeyError('INVALID_SEND_INPUT')
  const amountWei = toSmallestUnit(amount, token.decimals)
  if (amountWei === 0n) throw new LatchkeyError('INVALID_SEND_INPUT')
  return amountWei
}

function buildTransaction(
  { from, to, token }: Pick<PlanTransferParameters, 'to' | 'token'> & { from: string },
  amountWei: bigint,
): WalletTransaction {
  if (!token.address) return { from, to, value: toHex(amountWei) }
  if (token.nft) {
    const data = encodeNftTransfer(token.nft, { from, to, amount: amountWei })
    return { from, to: token.address, value: '0x0', data }
  }
  const args = [to as Hex, amountWei] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  return { from, to: token.address, value: '0x0', data }
}

/**
 * The whole balance of a token; of the native currency what the account's own fee leaves, at least
 * 0.
 */
export async function getMaxEvmSend(parameters: Parameters<Actions['maxSend']>[0]) {
  const { node, network, account, isSponsored, to, token } = parameters
  const from = account.address
  if (token.address) return holding(node, token, from)
  const receiver = isEvmAddress(to) ? to : from
  const [balanceWei, rates, estimate] = await Promise.all([
    readEvmBalance({ node, address: from }),
    readFeeRates(node, network.id),
    estimateTransactionGas(node, { from, to: receiver, value: '0x0' }),
  ])
  if (isSponsored) return balanceWei
  const gas = addGasMargin(estimate)
  const l1FeeWei = await readL1Fee(node, {
    chainId: network.caipNetworkId,
    transactions: [{ to: receiver, value: balanceWei, gas }],
  })
  const remainingWei = balanceWei - getFee({ rates, gas, l1FeeWei }).maxFeeWei
  return remainingWei > 0n ? remainingWei : 0n
}

const holding = (node: Request, { address = '', nft }: SendToken, owner: string) =>
  nft
    ? getNftBalance(nft, { node, contract: address, owner })
    : readTokenBalance(node, address, owner)
