import type { ConnectorInfo } from '../../state.ts'

/** Each wallet once: matched by rdns, then directory id, then name. The earlier entry stays. */
export function dedupe(infos: readonly ConnectorInfo[]): ConnectorInfo[] {
  const kept: ConnectorInfo[] = []
  for (const info of infos) if (!kept.some((other) => isSameWallet(other, info))) kept.push(info)
  return kept
}

type Identity = { rdns?: string; walletId?: string; name: string }

/** Whether two entries are one wallet. The first mark that both have decides. */
export function isSameWallet(one: Identity, other: Identity): boolean {
  if (one.rdns && other.rdns) return one.rdns.toLowerCase() === other.rdns.toLowerCase()
  if (one.walletId && other.walletId) return one.walletId === other.walletId
  return one.name.trim().toLowerCase() === other.name.trim().toLowerCase()
}
