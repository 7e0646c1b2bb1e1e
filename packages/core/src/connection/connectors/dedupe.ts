import type { Namespace } from '@latchkey/wire'
import type { ConnectorInfo } from '../../state.ts'

/**
 * Each wallet once for each namespace: matched by rdns, then directory id, then name. The earlier
 * entry stays. A wallet that announces itself in several namespaces has several entries;
 * {@link isSameInstalledWallet} finds them.
 */
export function dedupe(infos: readonly ConnectorInfo[]): ConnectorInfo[] {
  const unique: ConnectorInfo[] = []
  for (const info of infos) {
    const isKnown = unique.some(
      (other) =>
        isSameInstalledWallet(other, info) && info.namespaces.every(isIn(other.namespaces)),
    )
    if (!isKnown) unique.push(info)
  }
  return unique
}

const isIn = (namespaces: readonly Namespace[]) => (namespace: Namespace) =>
  namespaces.includes(namespace)

type Identity = { rdns?: string; walletId?: string; name: string }

/** Whether two entries are the same wallet. The first property that both have decides. */
export function isSameInstalledWallet(one: Identity, other: Identity): boolean {
  if (one.rdns && other.rdns) return one.rdns.toLowerCase() === other.rdns.toLowerCase()
  if (one.walletId && other.walletId) return one.walletId === other.walletId
  return one.name.trim().toLowerCase() === other.name.trim().toLowerCase()
}
