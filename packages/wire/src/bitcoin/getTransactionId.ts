import { RawOldTx, RawTx } from '@scure/btc-signer/script.js'
import { sha256x2 } from '@scure/btc-signer/utils.js'
import { bytesToHex } from '../bytesToHex.ts'

/** The id of a transaction in its network form: the hash without signatures, as explorers write it. Undefined for other bytes. */
export function getTransactionId(bytes: Uint8Array): string | undefined {
  try {
    const transaction = RawTx.decode(bytes)
    if (transaction.inputs.length === 0) return undefined
    return bytesToHex(sha256x2(RawOldTx.encode(transaction)).reverse())
  } catch {
    return undefined
  }
}
