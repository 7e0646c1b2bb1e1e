import { decodeBase58 } from '@latchkey/wire'
import { parseSolanaAddress } from '../solana/address.ts'
import type { SignedMessage } from './signedMessage.ts'
import { verifyEd25519 } from './verifyEd25519.ts'

/** ed25519 over the bytes of the message, by the key that the address is. */
export function verifySolana({ address, message, signature: text }: SignedMessage): boolean {
  const publicKey = decodeBase58(parseSolanaAddress(address) ?? '')
  const signature = decodeBase58(text)
  return (
    publicKey !== undefined &&
    signature !== undefined &&
    verifyEd25519({ publicKey, message, signature })
  )
}
