import { approvedOn, type WalletConnectSession } from '@latchkey/walletconnect'
import type { Config } from '../../config.ts'
import { changeState, readState } from '../../state.ts'
import { toChainId } from '../capabilities.ts'
import { findNetwork } from '../networks.ts'
import type { WalletConnect } from '../openWalletConnect.ts'
import { getScope, getSelectedChain, getSelection, indexesOn, withScope } from './sessionScope.ts'

type Parameters = { session: WalletConnectSession; config: Config }

/**
 * Switches a session to a network, adds the network if the session does not have it, and notifies
 * the app.
 */
export async function switchSessionChain(
  { wallet, changed }: WalletConnect,
  { session, config, chainId }: Parameters & { chainId: number },
): Promise<void> {
  const { chains, indexes } = getScope(session, config)
  const chain = toChainId(chainId)
  const namespaces = chains.includes(chain)
    ? session.namespaces
    : withScope(session, { chains: [...chains, chain], indexes }, config)
  if (namespaces !== session.namespaces) await wallet.update(session.topic, namespaces)
  choose({ ...session, namespaces }, config, { chainId })
  changed()
  if (approvedOn(namespaces, chain).events.includes('chainChanged'))
    await wallet.emit(session.topic, { chainId: chain, name: 'chainChanged', data: chainId })
}

/** Switches a session to an account and notifies the app with that account first. */
export async function switchSessionAccount(
  { wallet, changed }: WalletConnect,
  { session, config, account }: Parameters & { account: number },
): Promise<void> {
  choose(session, config, { account })
  changed()
  const { chains } = getScope(session, config)
  const used = getSelectedChain(session, config, readState())
  // Each namespace once, because an account has a different address in each.
  const others = chains.filter((chain) => getNamespace(chain) !== getNamespace(used))
  const lastChains = new Map([...others, used].map((chain) => [getNamespace(chain), chain]))
  for (const chain of lastChains.values()) {
    const indexes = indexesOn(session, chain, config)
    const addresses = findNetwork(config, chain)?.accounts ?? []
    const data = [account, ...indexes.filter((index) => index !== account)].map(
      (index) => addresses[index],
    )
    if (approvedOn(session.namespaces, chain).events.includes('accountsChanged'))
      await wallet.emit(session.topic, { chainId: chain, name: 'accountsChanged', data })
  }
}

const getNamespace = (chain: string) => chain.split(':')[0]

const choose = (
  session: Pick<WalletConnectSession, 'topic' | 'namespaces'>,
  config: Config,
  choice: { chainId?: number; account?: number },
) =>
  changeState((state) => ({
    sessions: {
      ...state.sessions,
      [session.topic]: { ...getSelection(session, config, state), ...choice },
    },
  }))

/** Deletes the selections of ended sessions. */
export function forgetEnded(topics: ReadonlySet<string>): void {
  const { sessions } = readState()
  const liveSessions = Object.entries(sessions).filter(([topic]) => topics.has(topic))
  if (liveSessions.length < Object.keys(sessions).length)
    changeState({ sessions: Object.fromEntries(liveSessions) })
}
