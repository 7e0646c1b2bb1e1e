import { bytesToHex, LatchkeyError } from '@latchkey/wire'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { type Bytes, concat, fromHex, toBytes } from '../crypto/bytes.ts'
import { signParts } from '../crypto/digests.ts'
import { type EvmTransaction, evmTransaction } from './evmTransaction.ts'
import { encodeRlp, type Rlp, rlpInteger } from './rlp.ts'

/** A transaction for `eth_sendRawTransaction`, and its hash. */
export type SignedTransaction = { readonly raw: `0x${string}`; readonly hash: `0x${string}` }

/**
 * Signs a transaction of type 0, 1 or 2. Throws `SIGNING_REFUSED` for every other type and for
 * invalid data.
 */
export function signEvmTransaction(transaction: EvmTransaction, key: Bytes): SignedTransaction {
  const parsed = evmTransaction.safeParse(transaction)
  if (!parsed.success)
    throw new LatchkeyError('SIGNING_REFUSED', {
      data: { reason: 'it is not a transaction of type 0, 1 or 2' },
      cause: parsed.error,
    })
  const fields = toRlpFields(parsed.data)
  const chain = BigInt(parsed.data.chainId)
  const legacy = parsed.data.type === 0
  const unsigned = legacy ? [...fields, rlpInteger(chain), rlpInteger(0n), rlpInteger(0n)] : fields
  const digest = toBytes(keccak_256(envelope(parsed.data.type, unsigned)))
  const { r, s, recovery } = signParts(digest, key)
  const v = legacy ? chain * 2n + 35n + BigInt(recovery) : BigInt(recovery)
  const raw = envelope(parsed.data.type, [...fields, rlpInteger(v), rlpInteger(r), rlpInteger(s)])
  return { raw: `0x${bytesToHex(raw)}`, hash: `0x${bytesToHex(keccak_256(raw))}` }
}

const envelope = (type: EvmTransaction['type'], fields: Rlp): Bytes =>
  type === 0 ? encodeRlp(fields) : concat(Uint8Array.of(type), encodeRlp(fields))

function toRlpFields(transaction: EvmTransaction): Rlp[] {
  const { nonce, gas, to, value, data } = transaction
  const target = to === undefined ? new Uint8Array() : fromHex(to)
  const tail = [number(gas), target, number(value), fromHex(data)]
  if (transaction.type === 0) return [number(nonce), number(transaction.gasPrice), ...tail]
  const chain = rlpInteger(BigInt(transaction.chainId))
  const access = transaction.accessList.map(({ address, storageKeys }) => [
    fromHex(address),
    storageKeys.map(fromHex),
  ])
  const fees =
    transaction.type === 1
      ? [number(transaction.gasPrice)]
      : [number(transaction.maxPriorityFeePerGas), number(transaction.maxFeePerGas)]
  return [chain, number(nonce), ...fees, ...tail, access]
}

const uint256 = 1n << 256n

function number(text: string): Uint8Array {
  const value = BigInt(text)
  if (value >= uint256)
    throw new LatchkeyError('SIGNING_REFUSED', { data: { reason: 'a number is too large' } })
  return rlpInteger(value)
}
