import { checksumAddress, LatchkeyError } from '@latchkey/wire'
import type { Account } from '../../../state.ts'

export { checksumAddress }

/**
 * The EVM addresses in a wallet's response, each once, with their checksums. Throws
 * WALLET_ANSWER_INVALID.
 */
export function parseEvmAccounts(value: unknown): Account[] {
  if (!Array.isArray(value)) throw new LatchkeyError('WALLET_ANSWER_INVALID')
  const accounts = new Map<string, Account>()
  for (const entry of value as unknown[]) {
    const text = typeof entry === 'string' ? entry.replace(/^eip155:\d+:/, '') : ''
    if (!/^0x[0-9a-fA-F]{40}$/.test(text)) throw new LatchkeyError('WALLET_ANSWER_INVALID')
    const address = checksumAddress(text)
    if (!accounts.has(address)) accounts.set(address, { namespace: 'eip155', address, type: 'eoa' })
  }
  return [...accounts.values()]
}
