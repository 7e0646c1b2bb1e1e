import type { WalletConnectSession } from '@latchkey/walletconnect'
import type { Config } from '../../config.ts'
import type { WalletConnect } from '../openWalletConnect.ts'

/** Props of the parts of a session's row. */
export type SessionProps = {
  walletConnect: WalletConnect
  config: Config
  session: WalletConnectSession
}

/** Runs an action of the user and shows its outcome below. */
export type Run = (work: () => Promise<string>) => Promise<void>
