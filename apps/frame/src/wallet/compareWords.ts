import type { WalletAddresses } from '@latchkey/wire'
import { sha256 } from '@noble/hashes/sha2.js'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { toBase64Url, utf8 } from './bytes.ts'

/** Fixes a nonce before the other side has shown its own, so that no server in between can choose its words. */
export const commitmentOf = (nonce: string, deviceKey: string): string =>
  toBase64Url(sha256(utf8(`latchkey enrol commitment v1|${deviceKey}|${nonce}`)))

type Compared = {
  readonly deviceKey: string
  readonly newNonce: string
  readonly oldNonce: string
  readonly addresses: WalletAddresses
}

/**
 * Three words (33 bits) that both screens show: they are equal only when both have the same key of the new device and
 * the same wallet. A server between them has one guess.
 */
export function compareWords({ deviceKey, newNonce, oldNonce, addresses }: Compared): string {
  const text = JSON.stringify([
    'latchkey enrol words v1',
    deviceKey,
    newNonce,
    oldNonce,
    addresses.eip155,
    addresses.solana,
  ])
  const hash = sha256(utf8(text))
  let bits = 0n
  for (const byte of hash.subarray(0, 5)) bits = (bits << 8n) | BigInt(byte)
  const at = [29n, 18n, 7n].map((shift) => wordlist[Number((bits >> shift) & 2047n)] ?? '')
  return at.join(' ')
}
