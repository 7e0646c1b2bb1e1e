import { isError, LatchkeyError } from '@latchkey/wire'
import {
  type Abi,
  decodeFunctionData,
  decodeFunctionResult,
  domainSeparator,
  encodeFunctionData,
  type Hex,
  keccak256,
  parseAbi,
  stringToHex,
} from 'viem'
import type { Request } from '../../request.ts'
import { signatureRefused } from '../../swapPlan.ts'
import { swapRouterAbi } from './abi.ts'
import type { SwapCall } from './checkSwap.ts'

/** How long a signed allowance is valid; a swap that takes longer has expired anyway. */
const permitSeconds = 1_200n
/** The longest token name, because wallets show this name in the signature request. */
const maxNameLength = 100

const fields =
  'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)' as const
const typeHash = keccak256(stringToHex(fields))
const types = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ],
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

const tokenAbi = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function nonces(address owner) view returns (uint256)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function PERMIT_TYPEHASH() view returns (bytes32)',
])

export type Permit = { domain: Domain; nonce: bigint }
type Domain = { name: string; version: string; chainId: number; verifyingContract: Hex }
type Holder = { node: Request; token: string; owner: string; chainId: number }

/**
 * The permit data for a signed allowance (EIP-2612), read from the token itself. Undefined if the
 * token does not support exactly this form, or if the owner is a contract, because most tokens
 * cannot verify contract signatures.
 */
export async function readPermit(holder: Holder): Promise<Permit | undefined> {
  const { node, token, owner, chainId } = holder
  const read = (functionName: string, args: readonly unknown[] = []) =>
    readToken({ node, token }, functionName, args)
  const [code, name, version, nonce, separator, ownTypeHash] = await Promise.all([
    node('eth_getCode', [owner, 'latest']),
    read('name'),
    read('version'),
    read('nonces', [owner]),
    read('DOMAIN_SEPARATOR'),
    read('PERMIT_TYPEHASH'),
  ])
  if (code !== '0x' || typeof nonce !== 'bigint') return undefined
  if (typeof name !== 'string' || name.length > maxNameLength) return undefined
  // An older form, for example DAI's, allows any amount with the same domain.
  if (ownTypeHash !== undefined && ownTypeHash !== typeHash) return undefined
  const domain = {
    name,
    version: typeof version === 'string' && version.length <= maxNameLength ? version : '1',
    chainId,
    verifyingContract: token as Hex,
  }
  // The token itself confirms the domain: the signature is valid for this token on this network
  // only.
  return domainSeparator({ domain }) === separator ? { domain, nonce } : undefined
}

/**
 * Reads a function of a token; undefined if the token lacks the function or returns something else.
 */
async function readToken(
  { node, token }: Pick<Holder, 'node' | 'token'>,
  functionName: string,
  args: readonly unknown[],
): Promise<unknown> {
  const abi: Abi = tokenAbi
  const data = encodeFunctionData({ abi, functionName, args })
  try {
    const answer = await node('eth_call', [{ to: token, data }, 'latest'])
    return decode(() => decodeFunctionResult({ abi, functionName, data: answer as Hex }))
  } catch (error) {
    if (isError(error, 'RPC_FAILED')) return undefined
    throw error
  }
}

function decode(work: () => unknown): unknown {
  try {
    return work()
  } catch {
    return undefined
  }
}

/**
 * Has the wallet sign a permit for exactly `amount`, which is valid for minutes; resolves to the
 * first step of a swap. Throws SWAP_REFUSED with `signatureRefused` if the wallet cannot sign it,
 * and the wallet's errors.
 */
export async function signPermit(
  wallet: Request,
  parameters: Permit & { owner: string; spender: string; amount: bigint; nowSeconds: bigint },
): Promise<Hex> {
  const { domain, nonce, owner, spender, amount, nowSeconds } = parameters
  const deadline = nowSeconds + permitSeconds
  const message = {
    owner,
    spender,
    value: String(amount),
    nonce: String(nonce),
    deadline: String(deadline),
  }
  const typedData = JSON.stringify({ domain, types, primaryType: 'Permit', message })
  const signature = await wallet('eth_signTypedData_v4', [owner, typedData]).catch((error) => {
    throw isError(error, 'UNSUPPORTED_METHOD') ? refuseSignature(error) : error
  })
  // Any other signature is from a contract account, or invalid.
  if (typeof signature !== 'string' || !/^0x[0-9a-fA-F]{130}$/.test(signature))
    throw refuseSignature()
  const last = Number.parseInt(signature.slice(130), 16)
  return encodeFunctionData({
    abi: swapRouterAbi,
    functionName: 'selfPermitIfNecessary',
    args: [
      domain.verifyingContract,
      amount,
      deadline,
      last < 27 ? last + 27 : last,
      signature.slice(0, 66) as Hex,
      `0x${signature.slice(66, 130)}`,
    ],
  })
}

/** Adds a signed allowance before the steps of a checked swap, which stay unchanged. */
export function addPermit(call: SwapCall, permit: Hex): SwapCall {
  const { functionName, args } = decodeFunctionData({ abi: swapRouterAbi, data: call.data })
  if (functionName !== 'multicall')
    throw new LatchkeyError('SWAP_ALTERED', { data: { reason: 'the steps differ' } })
  const [deadline, steps] = args
  const data = encodeFunctionData({
    abi: swapRouterAbi,
    functionName,
    args: [deadline, [permit, ...steps]],
  })
  return { ...call, data }
}

/**
 * The error if the token or the wallet does not support the signature: a transaction can allow the
 * same.
 */
export const refuseSignature = (cause?: unknown) =>
  new LatchkeyError('SWAP_REFUSED', { data: { reason: signatureRefused }, cause })
