import type { FrameAccountType } from '@latchkey/wire'
import type { FrameContext } from '../context.ts'
import type { HostConnection } from '../host/hostConnection.ts'
import { readAccountType } from '../requests/calls/accountType.ts'
import type { Account } from './createAccount.ts'

/**
 * Tells the page when the user has turned the smart account on or off since the page learned of the
 * account.
 */
export type AccountTypes = {
  read(address: string): Promise<FrameAccountType>
  /** What the page was answered about its EVM account. */
  note(known: { address: string; type: FrameAccountType }): void
  /** Does work in which the user may change it, and tells the page before the work is answered. */
  during<T>(work: () => Promise<T>): Promise<T>
}

/** Says nothing of an account that the page does not know, or may not know any more. */
export function tellAccountType(
  { store }: Pick<FrameContext, 'store'>,
  account: Pick<Account, 'hasConsent'>,
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
