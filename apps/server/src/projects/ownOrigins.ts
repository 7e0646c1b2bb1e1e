import type { Config } from '../config.ts'
import { isLoopbackOrigin } from './originAllowed.ts'

/** The origins of our web app. On this machine it is reachable by both names. */
export function ownOrigins(publicUrl: string): string[] {
  if (!isLoopbackOrigin(publicUrl)) return [publicUrl]
  const { port, protocol } = new URL(publicUrl)
  const end = port === '' ? '' : `:${port}`
  return [...new Set([publicUrl, `${protocol}//127.0.0.1${end}`, `${protocol}//localhost${end}`])]
}

/** The origins of the pages on which a wallet is made before recovery is set up. */
export const recoveryLaterOrigins = (
  config: Pick<Config, 'publicUrl' | 'recoveryLaterOrigins'>,
): readonly string[] => config.recoveryLaterOrigins ?? ownOrigins(config.publicUrl)
