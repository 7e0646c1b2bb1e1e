import type { WalletAddresses } from '@latchkey/wire'
import { sha256 } from '@noble/hashes/sha2.js'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { toBase64Url, utf8 } from '../crypto/bytes.ts'

type Device = { readonly id: string; readonly key: string }

/** Everything that the two devices have sent to each other through the server. */
export type Transcript = {
  readonly askId: string
  readonly newDevice: Device
  /** The new device's first message: {@link createCommitment} of its nonce. */
  readonly commitment: string
  readonly oldDevice: Device
  readonly oldNonce: string
  readonly newNonce: string
  readonly addresses: WalletAddresses
}

/** Commits the new device to its nonce before the old one shows its own. */
export const createCommitment = ({
  askId,
  newDevice: { id, key },
  newNonce,
}: Pick<Transcript, 'askId' | 'newDevice' | 'newNonce'>): string =>
  toBase64Url(hash(['latchkey enrol commitment v2', askId, id, key, newNonce]))

/**
 * Three words (33 bits) that both screens show. They are equal only if both devices received the
 * same messages. The server in between has to fix each side's messages before that side reveals its
 * nonce, so it has one guess.
 */
export function compareWords(transcript: Transcript): string {
  const { askId, newDevice, commitment, oldDevice, oldNonce, newNonce, addresses } = transcript
  const digest = hash([
    'latchkey enrol words v2',
    askId,
    newDevice.id,
    newDevice.key,
    commitment,
    oldDevice.id,
    oldDevice.key,
    oldNonce,
    newNonce,
    addresses.eip155,
    addresses.solana,
  ])
  let bits = 0n
  for (const byte of digest.subarray(0, 5)) bits = (bits << 8n) | BigInt(byte)
  const at = [29n, 18n, 7n].map((shift) => wordlist[Number((bits >> shift) & 2047n)] ?? '')
  return at.join(' ')
}

const hash = (parts: readonly string[]) => sha256(utf8(JSON.stringify(parts)))
