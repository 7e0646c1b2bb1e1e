import type { Session } from '@latchkey/walletconnect'
import type { Config } from '../../config.ts'
import type { WalletConnect } from '../openWalletConnect.ts'

/** What the parts of a session's row get. */
export type SessionProps = { walletConnect: WalletConnect; config: Config; session: Session }

/** Runs something that the user asked for and shows its outcome below. */
export type Run = (work: () => Promise<string>) => Promise<void>
