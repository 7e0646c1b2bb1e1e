import { parsePairingUri } from '@latchkey/walletconnect'
import { isLocalRelay } from '../../config.ts'
import { errorMessage } from '../errorMessage.ts'
import { texts } from '../texts.ts'

/**
 * Checks the URI that a user pasted, scanned or opened. Returns the pairing's topic, or a message
 * why it cannot be used.
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
