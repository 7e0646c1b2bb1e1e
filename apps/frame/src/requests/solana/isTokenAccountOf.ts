import { decodeBase58, encodeBase58 } from '@latchkey/wire'
import { concat, utf8 } from '../../wallet/crypto/bytes.ts'
import { programs } from './programs.ts'

/**
 * Whether an address is the associated token account of an owner. The address is derived from
 * owner, token program and mint, so no node has to be trusted. Only the associated-token program
 * can open accounts at such addresses.
 */
export async function isTokenAccountOf(
  address: string,
  { owner, program, mint }: { owner: string; program: string; mint: string },
): Promise<boolean> {
  const keys = [owner, program, mint, programs.associatedToken].map(decodeBase58)
  if (keys.some((key) => key?.length !== 32)) return false
  const [ownerKey, programKey, mintKey, derivingKey] = keys as Uint8Array[]
  if (!ownerKey || !programKey || !mintKey || !derivingKey) return false
  for (let bump = 255; bump >= 0; bump--) {
    const seeds = concat(ownerKey, programKey, mintKey, Uint8Array.of(bump), derivingKey)
    const hash = await crypto.subtle.digest('SHA-256', concat(seeds, utf8('ProgramDerivedAddress')))
    if (encodeBase58(new Uint8Array(hash)) === address) return true
    // Almost all are found within a few steps; an address that needs more counts as unproven.
    if (bump < 224) return false
  }
  return false
}
