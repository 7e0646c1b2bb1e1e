import { isError, LatchkeyError } from '@latchkey/wire'
import {
  encodeFunctionData,
  erc20Abi,
  type Hex,
  isAddress as isEvmAddress,
  serializeTypedData,
  stringToHex,
  validateTypedData,
} from 'viem'
import { walletErrorCode } from '../connectors/walletError.ts'
import { toSmallestUnit } from '../format.ts'
import type { Network } from '../networks.ts'
import type { Chain, Request, SendPlan, SendQuestion } from './chain.ts'

/** Fees are asked this much above the present ones, in tenths (spec §9: 1.2). */
const feeMultiplierTenths = 12n
/** Tip where the node names none: 1 gwei. */
const defaultTipWei = 1_000_000_000n
/** Milliseconds between two looks for a receipt. */
export const receiptPollMs = 1_000
/** Wallet codes that lead to adding the chain (spec §4), with the sign they are seen with in the wild. */
export const addChainCodes: readonly number[] = [4902, 5000, 32603, -32603]

/** The rules of EVM networks. */
export const eip155: Chain = {
  namespace: 'eip155',
  can: new Set(['balance', 'send', 'signMessage', 'signTypedData', 'switchNetwork']),
  isAddress: (address) => isEvmAddress(address, { strict: hasMixedCase(address) }),
  balance: async ({ node, address }) => toBigInt(await node('eth_getBalance', [address, 'latest'])),
  prepareSend,
  maxSend,
  signMessage: async ({ wallet, address, message }) =>
    toSignature(await wallet('personal_sign', [stringToHex(message), address])),
  signTypedData: async ({ wallet, address, typedData }) =>
    toSignature(await wallet('eth_signTypedData_v4', [address, toTypedDataJson(typedData)])),
  switchTo,
  waitForTransaction,
}

const hasMixedCase = (address: string) => {
  const digits = address.slice(2)
  return digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
}

async function prepareSend(question: SendQuestion): Promise<SendPlan> {
  const { wallet, node, network, from, to, token } = question
  const amountWei = parseAmount(question)
  const transaction = buildTransaction(question, amountWei)
  const [balanceWei, tokenWei, fees] = await Promise.all([
    eip155.balance({ node, address: from }),
    token.address ? tokenBalance(node, token.address, from) : undefined,
    readFees(node),
  ])
  const isSponsored = question.accountType === 'smartAccount'
  // An account with nothing cannot pay any fee (spec §5).
  if (balanceWei === 0n && !isSponsored) throw insufficientGas(network)
  if (amountWei > (tokenWei ?? balanceWei)) throw new LatchkeyError('INSUFFICIENT_FUNDS')
  const gas = await estimateGas(node, transaction)
  const feeWei = gas * fees.perGasWei
  if (feeWei > balanceWei && !isSponsored) throw insufficientGas(network)
  if (!token.address && !isSponsored && amountWei + feeWei > balanceWei)
    throw new LatchkeyError('INSUFFICIENT_FUNDS')
  const chainId = toHex(BigInt(network.id))
  return {
    feeWei,
    amountWei,
    chainId: network.caipNetworkId,
    from,
    to,
    token,
    submit: () => submit(wallet, { ...transaction, ...fees.fields, gas: toHex(gas), chainId }),
  }
}

function parseAmount({ to, amount, token }: SendQuestion) {
  if (!to || !amount) throw new LatchkeyError('INVALID_SEND_INPUT')
  if (!eip155.isAddress(to)) throw new LatchkeyError('INVALID_ADDRESS')
  if (token.address !== undefined && !eip155.isAddress(token.address))
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
  const args = [to as Hex, amountWei] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  return { from, to: token.address, value: '0x0', data }
}

/** The whole balance of a token; of the native currency what the fee leaves, never less than nothing. */
async function maxSend(parameters: Parameters<Chain['maxSend']>[0]) {
  const { node, from, to, token } = parameters
  if (token.address) return tokenBalance(node, token.address, from)
  const receiver = eip155.isAddress(to) ? to : from
  const [balanceWei, fees, gas] = await Promise.all([
    eip155.balance({ node, address: from }),
    readFees(node),
    estimateGas(node, { from, to: receiver, value: '0x0' }),
  ])
  if (parameters.accountType === 'smartAccount') return balanceWei
  const left = balanceWei - gas * fees.perGasWei
  return left > 0n ? left : 0n
}

const insufficientGas = ({ nativeCurrency: { symbol } }: Network) =>
  new LatchkeyError('INSUFFICIENT_GAS', { data: { symbol } })

/** The most a unit of gas may cost, and the fields that say so: EIP-1559 where the network has a base fee. */
async function readFees(node: Request) {
  const [block, tip, price] = await Promise.all([
    node('eth_getBlockByNumber', ['latest', false]),
    node('eth_maxPriorityFeePerGas').then(toBigInt, () => defaultTipWei),
    node('eth_gasPrice').then(toBigInt),
  ])
  const base = (block as { baseFeePerGas?: unknown } | null)?.baseFeePerGas
  if (base === undefined || base === null) {
    const perGasWei = raised(price)
    return { perGasWei, fields: { gasPrice: toHex(perGasWei) } }
  }
  const perGasWei = raised(toBigInt(base)) + tip
  const fields = { maxFeePerGas: toHex(perGasWei), maxPriorityFeePerGas: toHex(tip) }
  return { perGasWei, fields }
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

async function switchTo({
  wallet,
  network,
  rpcUrl,
}: Parameters<NonNullable<Chain['switchTo']>>[0]) {
  const chainId = toHex(BigInt(network.id))
  const ask = () => wallet('wallet_switchEthereumChain', [{ chainId }])
  try {
    await ask()
  } catch (error) {
    if (!mayAdd(error)) throw error
    await addChain(wallet, network, rpcUrl)
    // Adding leads most wallets there already; those that still refuse will not go.
    await ask().catch(unlessDecided)
  }
  const now = await wallet('eth_chainId').catch(unlessDecided)
  if (String(now).toLowerCase() !== chainId && Number(now) !== Number(chainId))
    throw new LatchkeyError('CHAIN_NOT_SUPPORTED')
}

function mayAdd(error: unknown) {
  if (isError(error, 'USER_REJECTED')) return false
  if (isError(error, 'UNRECOGNIZED_CHAIN')) return true
  const code = isError(error) ? walletErrorCode(error.cause) : undefined
  return code !== undefined && addChainCodes.includes(code)
}

const addChain = (wallet: Request, network: Network, rpcUrl: string) =>
  wallet('wallet_addEthereumChain', [
    {
      chainId: toHex(BigInt(network.id)),
      chainName: network.name,
      nativeCurrency: network.nativeCurrency,
      rpcUrls: [rpcUrl],
      ...(network.blockExplorer && { blockExplorerUrls: [network.blockExplorer.url] }),
    },
  ]).catch(unlessDecided)

/** A person's no stays a no; anything else means that the wallet cannot go there. */
function unlessDecided(cause: unknown): never {
  if (isError(cause, 'USER_REJECTED') || isError(cause, 'REQUEST_PENDING')) throw cause
  throw new LatchkeyError('CHAIN_NOT_SUPPORTED', { cause })
}

async function waitForTransaction(parameters: Parameters<Chain['waitForTransaction']>[0]) {
  const { node, hash, signal, sleep } = parameters
  while (!signal.aborted) {
    const receipt = await node('eth_getTransactionReceipt', [hash])
    const status = (receipt as { status?: unknown } | null)?.status
    if (status !== undefined && status !== null)
      return { status: toBigInt(status) === 1n ? 'success' : 'reverted' } as const
    await sleep(receiptPollMs, signal)
  }
  throw new LatchkeyError('ABORTED')
}

/** The domain's fields in EIP-712's order. */
const domainFields = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
] as const

/** EIP-712 data as the JSON that wallets take; throws INVALID_PARAMS for what is none. */
function toTypedDataJson(typedData: unknown): string {
  try {
    const given = typedData as Parameters<typeof serializeTypedData>[0]
    const domain: object = given.domain ?? {}
    const EIP712Domain = domainFields.filter(({ name }) => name in domain)
    const types = { EIP712Domain, ...given.types }
    const whole = { ...given, domain, types } as Parameters<typeof serializeTypedData>[0]
    validateTypedData(whole)
    return serializeTypedData(whole)
  } catch (cause) {
    const reason = 'typed data needs domain, types, primaryType and message that fit'
    throw new LatchkeyError('INVALID_PARAMS', { data: { reason }, cause })
  }
}

const toHex = (value: bigint): Hex => `0x${value.toString(16)}`

function toBigInt(value: unknown): bigint {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(value)) return BigInt(value)
  throw new LatchkeyError('ANSWER_INVALID')
}

/** A 0x text of at least 62 hex characters is a signature (spec §3). */
function toSignature(value: unknown): string {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{62,}$/.test(value)) return value
  throw new LatchkeyError('WALLET_ANSWER_INVALID')
}
