import { approvedOn, type Session } from '@latchkey/walletconnect'
import { accounts } from '../../accounts.ts'
import type { Config } from '../../config.ts'
import { changeState, readState } from '../../state.ts'
import { toChainId } from '../capabilities.ts'
import type { WalletConnect } from '../openWalletConnect.ts'
import { getScope, getSelection, withScope } from './sessionScope.ts'

type Parameters = { session: Session; config: Config }

/** Puts a network in use in a session, adds it when it is not in it, and tells the app. */
export async function switchSessionChain(
  { wallet, changed }: WalletConnect,
  { session, config, chainId }: Parameters & { chainId: number },
): Promise<void> {
  const { chainIds, indexes } = getScope(session, config)
  const namespaces = chainIds.includes(chainId)
    ? session.namespaces
    : withScope(session, { chainIds: [...chainIds, chainId], indexes })
  if (namespaces !== session.namespaces) await wallet.update(session.topic, namespaces)
  choose({ ...session, namespaces }, config, { chainId })
  changed()
  const chain = toChainId(chainId)
  if (approvedOn(namespaces, chain).events.includes('chainChanged'))
    await wallet.emit(session.topic, { chainId: chain, name: 'chainChanged', data: chainId })
}

/** Puts an account in use in a session and tells the app, that account first. */
export async function switchSessionAccount(
  { wallet, changed }: WalletConnect,
  { session, config, account }: Parameters & { account: number },
): Promise<void> {
  choose(session, config, { account })
  changed()
  const { indexes } = getScope(session, config)
  const { chainId } = getSelection(session, config, readState())
  const chain = toChainId(chainId)
  const data = [account, ...indexes.filter((index) => index !== account)].map(
    (index) => accounts[index],
  )
  if (approvedOn(session.namespaces, chain).events.includes('accountsChanged'))
    await wallet.emit(session.topic, { chainId: chain, name: 'accountsChanged', data })
}

const choose = (
  session: Pick<Session, 'topic' | 'namespaces'>,
  config: Config,
  choice: { chainId?: number; account?: number },
) =>
  changeState((state) => ({
    sessions: {
      ...state.sessions,
      [session.topic]: { ...getSelection(session, config, state), ...choice },
    },
  }))

/** Forgets what was in use in sessions that are over. */
export function forgetEnded(topics: ReadonlySet<string>): void {
  const { sessions } = readState()
  const kept = Object.entries(sessions).filter(([topic]) => topics.has(topic))
  if (kept.length < Object.keys(sessions).length)
    changeState({ sessions: Object.fromEntries(kept) })
}
