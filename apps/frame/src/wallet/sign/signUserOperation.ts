import { bytesToHex, LatchkeyError, userOperationDomain, userOperationTypes } from '@latchkey/wire'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { delegateAddress, entryPointAddress, permissionDelegate } from '../../smartAccount.ts'
import { type Bytes, concat, fromHex, toBytes } from '../crypto/bytes.ts'
import { signDigest, signParts } from '../crypto/digests.ts'
import { hashTypedData } from './hashTypedData.ts'
import type {
  DelegationEnding,
  Revocation,
  SignableOperation,
  SignedAuthorization,
} from './operationSchema.ts'
import { encodeRlp, rlpInteger } from './rlp.ts'

/**
 * Signs an operation, and with `authorize` (the account's next nonce) that the account delegates to
 * a pinned contract on this one network. The delegate is in the hash: the operation is invalid for
 * an account that delegates to another contract.
 */
export function signUserOperation(
  {
    operation,
    authorize,
  }: { readonly operation: SignableOperation; readonly authorize?: string | undefined },
  { key, owner }: { readonly key: Bytes; readonly owner: string },
): { signature: string; hash: string; authorization?: SignedAuthorization } {
  if (operation.sender.toLowerCase() !== owner.toLowerCase())
    throw new LatchkeyError('SIGNING_REFUSED', { data: { reason: 'it is of another account' } })
  const digest = hashUserOperation(operation)
  return {
    signature: signDigest(digest, key),
    hash: `0x${bytesToHex(digest)}`,
    ...(authorize !== undefined && {
      authorization: signAuthorization(
        { chainId: operation.chainId, nonce: BigInt(authorize), to: getDelegate(operation) },
        key,
      ),
    }),
  }
}

/** The hash that names an operation: EIP-712, as EntryPoint 0.8 computes it. */
function hashUserOperation(operation: SignableOperation): Bytes {
  const { paymaster } = operation
  return hashTypedData({
    types: userOperationTypes,
    primaryType: 'PackedUserOperation',
    domain: {
      ...userOperationDomain,
      chainId: String(operation.chainId),
      verifyingContract: entryPointAddress,
    },
    message: {
      sender: operation.sender,
      nonce: operation.nonce,
      initCode: getDelegate(operation),
      callData: operation.callData,
      accountGasLimits: `0x${half(operation.verificationGasLimit)}${half(operation.callGasLimit)}`,
      preVerificationGas: operation.preVerificationGas,
      gasFees: `0x${half(operation.maxPriorityFeePerGas)}${half(operation.maxFeePerGas)}`,
      paymasterAndData: paymaster
        ? `${paymaster.address}${half(paymaster.verificationGasLimit)}${half(paymaster.postOpGasLimit)}${paymaster.data.slice(2)}`
        : '0x',
    },
  })
}

const getDelegate = (operation: SignableOperation) =>
  operation.delegate === 'permissions' ? permissionDelegate : delegateAddress

/** 16 bytes. */
const half = (quantity: string) => quantity.slice(2).padStart(32, '0')

type Authorization = { readonly chainId: number; readonly nonce: bigint; readonly to: string }

/**
 * Signs keccak256(0x05 ‖ rlp([chain id, address, nonce])) (EIP-7702). The chain id is never 0,
 * which would mean every network.
 */
function signAuthorization({ chainId, nonce, to }: Authorization, key: Bytes): SignedAuthorization {
  if (!Number.isSafeInteger(chainId) || chainId < 1)
    throw new LatchkeyError('SIGNING_REFUSED', { data: { reason: 'it names no network' } })
  const fields = [rlpInteger(BigInt(chainId)), fromHex(to), rlpInteger(nonce)]
  const digest = toBytes(keccak_256(concat(Uint8Array.of(5), encodeRlp(fields))))
  const { r, s, recovery } = signParts(digest, key)
  const quantity = (value: bigint) => `0x${value.toString(16)}`
  return {
    address: to,
    chainId: quantity(BigInt(chainId)),
    nonce: quantity(nonce),
    r: `0x${r.toString(16).padStart(64, '0')}`,
    s: `0x${s.toString(16).padStart(64, '0')}`,
    yParity: quantity(BigInt(recovery)),
  }
}

/**
 * Signs that the account no longer delegates on one network, regardless of the sender: EIP-7702
 * with the zero address.
 */
export const signEnding = ({ chainId, nonce }: DelegationEnding, key: Bytes): SignedAuthorization =>
  signAuthorization({ chainId, nonce: BigInt(nonce), to: `0x${'00'.repeat(20)}` }, key)

/**
 * Signs a transaction of the account to itself that ends its delegation (EIP-7702 with the zero
 * address), and nothing else.
 */
export function signRevocation(
  transaction: Revocation,
  { key, owner }: { readonly key: Bytes; readonly owner: string },
): { raw: string; hash: string } {
  const { chainId } = transaction
  const nonce = BigInt(transaction.nonce)
  // The transaction increments the nonce before the node checks its authorizations.
  const one = signEnding({ chainId, nonce: `0x${(nonce + 1n).toString(16)}` }, key)
  const number = (quantity: string) => rlpInteger(BigInt(quantity))
  const authorization = [
    number(one.chainId),
    fromHex(one.address),
    number(one.nonce),
    number(one.yParity),
    number(one.r),
    number(one.s),
  ]
  const fields = [
    rlpInteger(BigInt(chainId)),
    rlpInteger(nonce),
    number(transaction.maxPriorityFeePerGas),
    number(transaction.maxFeePerGas),
    number(transaction.gas),
    fromHex(owner),
    rlpInteger(0n),
    new Uint8Array(),
    [],
    [authorization],
  ]
  const envelope = (list: Parameters<typeof encodeRlp>[0]) =>
    concat(Uint8Array.of(4), encodeRlp(list))
  const { r, s, recovery } = signParts(toBytes(keccak_256(envelope(fields))), key)
  const raw = envelope([...fields, rlpInteger(BigInt(recovery)), rlpInteger(r), rlpInteger(s)])
  return { raw: `0x${bytesToHex(raw)}`, hash: `0x${bytesToHex(keccak_256(raw))}` }
}
