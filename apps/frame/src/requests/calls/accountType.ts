import { type FrameAccountType, setAccountTypeRoute } from '@latchkey/wire'
import { withLock } from '../../auth/deviceKey.ts'
import type { LoginSession } from '../../auth/loginSession.ts'
import type { KeyStore } from '../../wallet/keyStore.ts'

/**
 * Storage key of how an EVM account sends, in this browser. The server keeps it for the user's
 * other browsers.
 */
const typeKey = (account: string) => `account type ${account.toLowerCase()}`
/** Storage key of a choice that was made here and that the server does not have yet. */
const unsentKey = (account: string) => `account type to send ${account.toLowerCase()}`

const isType = (found: unknown): found is FrameAccountType =>
  found === 'eoa' || found === 'smartAccount'

/**
 * Reads how the account sends. Wallets from before smart accounts keep sending plain transactions
 * until the user agrees to the upgrade.
 */
export const readAccountType = async (
  store: KeyStore,
  account: string,
): Promise<FrameAccountType> =>
  (await store.get(typeKey(account))) === 'smartAccount' ? 'smartAccount' : 'eoa'

/** Stores a type that the server already has. */
export const saveAccountType = (store: KeyStore, account: string, type: FrameAccountType) =>
  store.put(typeKey(account), type)

/** Stores the user's choice; {@link sendAccountType} sends it to the server. */
export async function chooseAccountType(
  store: KeyStore,
  account: string,
  type: FrameAccountType,
): Promise<void> {
  if ((await readAccountType(store, account)) === type) return
  // Written first, so that closing the page in between does not lose the choice.
  await store.put(unsentKey(account), type)
  await saveAccountType(store, account, type)
}

/**
 * Copies the account type from the wallet at `from` to the wallet at `to`. The server does the same
 * when it follows a move.
 */
export async function carryAccountType(store: KeyStore, from: string, to: string): Promise<void> {
  for (const key of [unsentKey, typeKey]) {
    const found = await store.get(key(from))
    if (found !== undefined) await store.put(key(to), found)
  }
}

type AccountTypeContext = { readonly store: KeyStore; readonly session: Pick<LoginSession, 'call'> }

/**
 * Adopts the server's type (`shown`), unless this browser made another choice that the server does
 * not have yet. The server's value is not signed and does not need to be: an approval shows what is
 * signed. A type that only this browser has, for a wallet from before, is reported to the server.
 */
export async function followAccountType(
  own: AccountTypeContext,
  { account, shown }: { readonly account: string; readonly shown: string | undefined },
): Promise<void> {
  const { store } = own
  if ((await store.get(unsentKey(account))) !== undefined) return void sendAccountType(own, account)
  if (isType(shown)) return saveAccountType(store, account, shown)
  const known = await store.get(typeKey(account))
  if (shown === undefined && isType(known)) void send(own, { account, type: known, first: true })
}

/**
 * Sends the choice of this browser to the server, if the server does not have it yet. A failed
 * request is repeated at the next load.
 */
export const sendAccountType = (own: AccountTypeContext, account: string): Promise<void> =>
  // One request after another, so that the last choice arrives last.
  withLock('account type', async () => {
    const type = await own.store.get(unsentKey(account))
    const isDone = isType(type) && (await send(own, { account, type }))
    // The user may have made another choice in the meantime, which is sent next.
    if (isDone && (await own.store.get(unsentKey(account))) === type)
      await own.store.delete(unsentKey(account))
  }).catch(() => {})

type ReportedType = {
  readonly account: string
  readonly type: FrameAccountType
  /** Does not overwrite the choice of another browser. */
  readonly first?: true
}

/** Resolves to whether the server has the type now. */
const send = ({ session }: AccountTypeContext, sent: ReportedType): Promise<boolean> =>
  session.call(setAccountTypeRoute, sent).then(
    () => true,
    () => false,
  )
