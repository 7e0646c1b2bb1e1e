import type { FrameAccountType } from '@latchkey/wire'
import type { FrameContext } from '../context.ts'
import type { HostConnection } from '../host/hostConnection.ts'
import { readAccountType } from '../requests/calls/accountType.ts'
import type { FrameAccount } from './createAccount.ts'

/**
 * Notifies the page if the user has turned the smart account on or off since the page received the
 * account.
 */
export type AccountTypes = {
  read(address: string): Promise<FrameAccountType>
  /** Records what the page was last told about its EVM account. */
  note(known: { address: string; type: FrameAccountType }): void
  /**
   * Runs work in which the user may change the type, and notifies the page before the work
   * resolves.
   */
  during<T>(work: () => Promise<T>): Promise<T>
}

/** Sends nothing about an account that the page does not know or may no longer know. */
export function notifyAccountType(
  { store }: Pick<FrameContext, 'store'>,
  account: Pick<FrameAccount, 'hasConsent'>,
  connection: Pick<HostConnection, 'emit'>,
): AccountTypes {
  let known: { address: string; type: FrameAccountType } | undefined
  const read = (address: string) => readAccountType(store, address)
  const tell = async () => {
    if (!known || !(await account.hasConsent())) return
    const { address } = known
    const type = await read(address)
    if (type === known.type) return
    known = { address, type }
    connection.emit('FRAME_ACCOUNT_TYPE', known)
  }
  return {
    read,
    note: (told) => {
      known = told
    },
    during: (work) => work().finally(() => tell().catch(() => {})),
  }
}
