import { parsePairingUri } from '@latchkey/walletconnect'
import { isLocalRelay } from '../config.ts'
import { explain } from './explain.ts'
import { texts } from './texts.ts'

/** Reads what a person pasted, scanned or opened: the pairing's topic, or in words why it cannot be used. */
export function checkUri(
  text: string,
  nowSeconds: number,
): { uri: string; topic: string } | { problem: string } {
  const uri = text.trim()
  if (uri === '') return { problem: texts.emptyUri }
  try {
    const { topic, relayUrl } = parsePairingUri(uri, nowSeconds)
    if (relayUrl !== undefined && !isLocalRelay(relayUrl))
      return { problem: texts.foreignRelay(new URL(relayUrl).host) }
    return { uri, topic }
  } catch (error) {
    return { problem: explain(error) }
  }
}
