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
import { routerAbi } from './abi.ts'
import type { SwapCall } from './checkSwap.ts'

/** Seconds that a signed allowance can be used: a swap that waits longer is over anyway. */
const permitSeconds = 1_200n
/** A wallet shows the name that a token says of itself. */
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
 * What a signature for an allowance needs (EIP-2612), read from the token itself; undefined where
 * the token does not take one in exactly this form, or the owner is a contract, whose signature
 * most tokens cannot read.
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
  // An older form, as DAI's, allows any amount with the same domain.
  if (ownTypeHash !== undefined && ownTypeHash !== typeHash) return undefined
  const domain = {
    name,
    version: typeof version === 'string' && version.length <= maxNameLength ? version : '1',
    chainId,
    verifyingContract: token as Hex,
  }
  // The token's own word: what is signed counts for this token on this network, and nowhere else.
  return domainSeparator({ domain }) === separator ? { domain, nonce } : undefined
}

/** What a token answers; undefined if it has no such function, or answers something else. */
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
 * Has the wallet sign that the router may take exactly `amount`, for minutes; resolves to the first
 * step of a swap. Throws SWAP_REFUSED with `signatureRefused` where the wallet cannot, and the
 * wallet's errors.
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
  // Anything else is of a contract account, or of no key at all.
  if (typeof signature !== 'string' || !/^0x[0-9a-fA-F]{130}$/.test(signature))
    throw refuseSignature()
  const last = Number.parseInt(signature.slice(130), 16)
  return encodeFunctionData({
    abi: routerAbi,
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

/** A checked swap with a signed allowance before its own steps, which stay as they are. */
export function addPermit(call: SwapCall, permit: Hex): SwapCall {
  const { functionName, args } = decodeFunctionData({ abi: routerAbi, data: call.data })
  if (functionName !== 'multicall')
    throw new LatchkeyError('SWAP_ALTERED', { data: { reason: 'other steps' } })
  const [deadline, steps] = args
  const data = encodeFunctionData({
    abi: routerAbi,
    functionName,
    args: [deadline, [permit, ...steps]],
  })
  return { ...call, data }
}

/**
 * The token or the wallet does not do with a signature what it should: a transaction can allow the
 * same.
 */
export const refuseSignature = (cause?: unknown) =>
  new LatchkeyError('SWAP_REFUSED', { data: { reason: signatureRefused }, cause })
