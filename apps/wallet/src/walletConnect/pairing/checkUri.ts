import { parsePairingUri } from '@latchkey/walletconnect'
import { isLocalRelay } from '../../config.ts'
import { errorMessage } from '../errorMessage.ts'
import { texts } from '../texts.ts'

/**
 * Reads what a person pasted, scanned or opened: the pairing's topic, or in words why it cannot be
 * used.
 */
export function checkUri(text: string): { uri: string; topic: string } | { problem: string } {
  const uri = text.trim()
  if (uri === '') return { problem: texts.emptyUri }
  try {
    // Only the client decides whether it has expired: this clock may be wrong, the relay's is
    // right.
    const { topic, relayUrl } = parsePairingUri(uri, 0)
    if (relayUrl !== undefined && !isLocalRelay(relayUrl))
      return { problem: texts.foreignRelay(new URL(relayUrl).host) }
    return { uri, topic }
  } catch (error) {
    return { problem: errorMessage(error) }
  }
}
