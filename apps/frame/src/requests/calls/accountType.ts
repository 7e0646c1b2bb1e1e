import { type FrameAccountType, setAccountType } from '@latchkey/wire'
import { withLock } from '../../session/deviceKey.ts'
import type { Session } from '../../session/session.ts'
import type { KeyStore } from '../../wallet/keyStore.ts'

/**
 * How an EVM account sends, as this browser knows. The server keeps it for the owner's other
 * browsers.
 */
const typeKey = (account: string) => `account type ${account.toLowerCase()}`
/** What was chosen here, until the server has it. */
const unsentKey = (account: string) => `account type to send ${account.toLowerCase()}`

const isType = (found: unknown): found is FrameAccountType =>
  found === 'eoa' || found === 'smartAccount'

/** Wallets that were there before keep sending plain transactions until their owner agrees. */
export const readAccountType = async (
  store: KeyStore,
  account: string,
): Promise<FrameAccountType> =>
  (await store.get(typeKey(account))) === 'smartAccount' ? 'smartAccount' : 'eoa'

/** Stores what the server knows too. */
export const saveAccountType = (store: KeyStore, account: string, type: FrameAccountType) =>
  store.put(typeKey(account), type)

/** Stores what the user has chosen; {@link sendAccountType} tells the server. */
export async function chooseAccountType(
  store: KeyStore,
  account: string,
  type: FrameAccountType,
): Promise<void> {
  if ((await readAccountType(store, account)) === type) return
  // First, so that a page that is closed in between does not lose the choice.
  await store.put(unsentKey(account), type)
  await saveAccountType(store, account, type)
}

/**
 * Has the wallet at `to` send as the one at `from`, as the server does when it follows that one.
 */
export async function carryAccountType(store: KeyStore, from: string, to: string): Promise<void> {
  for (const key of [unsentKey, typeKey]) {
    const found = await store.get(key(from))
    if (found !== undefined) await store.put(key(to), found)
  }
}

type Own = { readonly store: KeyStore; readonly session: Pick<Session, 'call'> }

/**
 * Takes over what the server has `shown`, unless another choice was made here that it does not have
 * yet. Nobody has signed what it shows, and nobody needs to: an approval shows what is signed. What
 * only this browser knows of a wallet from before is reported.
 */
export async function followAccountType(
  own: Own,
  { account, shown }: { readonly account: string; readonly shown: string | undefined },
): Promise<void> {
  const { store } = own
  if ((await store.get(unsentKey(account))) !== undefined) return void sendAccountType(own, account)
  if (isType(shown)) return saveAccountType(store, account, shown)
  const known = await store.get(typeKey(account))
  if (shown === undefined && isType(known)) void send(own, { account, type: known, first: true })
}

/**
 * Sends what was chosen here, if the server does not have it yet. What fails is sent again at the
 * next load.
 */
export const sendAccountType = (own: Own, account: string): Promise<void> =>
  // One after the other, so that the last choice is the last to arrive.
  withLock('account type', async () => {
    const type = await own.store.get(unsentKey(account))
    const isDone = isType(type) && (await send(own, { account, type }))
    // Another choice may have followed meanwhile, which then is sent next.
    if (isDone && (await own.store.get(unsentKey(account))) === type)
      await own.store.delete(unsentKey(account))
  }).catch(() => {})

type Sent = {
  readonly account: string
  readonly type: FrameAccountType
  /** Another browser's choice stays. */
  readonly first?: true
}

/** Whether the server has it now. */
const send = ({ session }: Own, sent: Sent): Promise<boolean> =>
  session.call(setAccountType, sent).then(
    () => true,
    () => false,
  )
