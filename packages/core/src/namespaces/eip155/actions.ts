import { isError, LatchkeyError } from '@latchkey/wire'
import { serializeTypedData, stringToHex, validateTypedData } from 'viem'
import type { Actions } from '../actions.ts'
import { getMaxEvmSend, planEvmTransfer } from './planTransfer.ts'
import { switchEvmChain } from './switchTo.ts'
import { isEvmAddress, readEvmBalance, toBigInt, toChecksumAddress } from './values.ts'
import { isAwaitingOwners, waitForEvmTransaction } from './waitForTransaction.ts'

/** The actions on EVM networks. */
export const evmActions: Actions = {
  namespace: 'eip155',
  isNodeOf: async ({ node, network }) => toBigInt(await node('eth_chainId')) === BigInt(network.id),
  isAddress: isEvmAddress,
  formatAddress: toChecksumAddress,
  balance: readEvmBalance,
  planTransfer: planEvmTransfer,
  maxSend: getMaxEvmSend,
  signMessage: async ({ wallet, address, message }) =>
    toSignature(await wallet('personal_sign', [stringToHex(message), address])),
  signTypedData: async ({ wallet, address, typedData }) =>
    toSignature(await wallet('eth_signTypedData_v4', [address, toTypedDataJson(typedData)])),
  loadCalls: async () => (await import('./batch/calls.ts')).evmCalls,
  loadAssets: async () => (await import('./assets.ts')).assets,
  loadSwaps: async () => (await import('./swap/planSwap.ts')).swaps,
  loadPermissions: async () => (await import('./permissions.ts')).permissions,
  loadRevoke: async () => (await import('./revoke.ts')).evmRevoke,
  switchTo: switchEvmChain,
  isFinal,
  waitForTransaction: waitForEvmTransaction,
  awaitsOwners: isAwaitingOwners,
}

async function isFinal({ node, hash }: Parameters<Actions['isFinal']>[0]): Promise<boolean> {
  // The final block first: blocks up to it can no longer change.
  const block = await node('eth_getBlockByNumber', ['finalized', false]).catch((error: unknown) => {
    // Not every network supports the `finalized` tag.
    if (isError(error, 'RPC_FAILED')) return null
    throw error
  })
  const final = (block as { number?: unknown } | null)?.number
  if (final === undefined || final === null) return false
  const receipt = await node('eth_getTransactionReceipt', [hash])
  const included = (receipt as { blockNumber?: unknown } | null)?.blockNumber
  if (included === undefined || included === null) return false
  return toBigInt(included) <= toBigInt(final)
}

/** The domain's fields in EIP-712's order. */
const domainFields = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
] as const

/**
 * Serializes EIP-712 data to the JSON that wallets take. Throws INVALID_PARAMS if the input is not
 * valid typed data.
 */
function toTypedDataJson(typedData: unknown): string {
  try {
    const serializable = typedData as Parameters<typeof serializeTypedData>[0]
    const domain: object = serializable.domain ?? {}
    const EIP712Domain = domainFields.filter(({ name }) => name in domain)
    const types = { EIP712Domain, ...serializable.types }
    const whole = { ...serializable, domain, types } as Parameters<typeof serializeTypedData>[0]
    validateTypedData(whole)
    return serializeTypedData(whole)
  } catch (cause) {
    const reason = 'typed data needs domain, types, primaryType and message that fit'
    throw new LatchkeyError('INVALID_PARAMS', { data: { reason }, cause })
  }
}

/** A hex string of at least 62 characters after 0x counts as a signature. */
function toSignature(value: unknown): string {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{62,}$/.test(value)) return value
  throw new LatchkeyError('WALLET_ANSWER_INVALID')
}
