import type {
  AuthRequest,
  PendingRequest,
  SessionProposal,
  Wallet,
  WalletConnectSession,
} from '@latchkey/walletconnect'
import { silentMethods } from './capabilities.ts'

/** A request that waits for the user. */
export type Item =
  | { kind: 'proposal'; key: string; id: number; proposal: SessionProposal }
  | { kind: 'sign-in'; key: string; id: number; request: AuthRequest }
  | {
      kind: 'request'
      key: string
      id: number
      request: PendingRequest
      session: WalletConnectSession
    }

type Source = Pick<Wallet, 'proposals' | 'authRequests' | 'requests' | 'sessions'>

/** All requests that wait for the user, oldest first. */
export function readQueue(wallet: Source): Item[] {
  const sessions = new Map(wallet.sessions().map((session) => [session.topic, session]))
  const items: Item[] = [
    ...wallet.proposals().map((proposal) => ({
      kind: 'proposal' as const,
      key: `proposal:${proposal.id}`,
      id: proposal.id,
      proposal,
    })),
    ...wallet.authRequests().map((request) => ({
      kind: 'sign-in' as const,
      key: `sign-in:${request.id}`,
      id: request.id,
      request,
    })),
    ...wallet.requests().flatMap((request) => {
      const session = sessions.get(request.topic)
      if (!session || silentMethods.has(request.method)) return []
      const key = requestKey(request)
      return [{ kind: 'request' as const, key, id: request.id, request, session }]
    }),
  ]
  return items.sort((one, other) => one.id - other.id)
}

/** A key that distinguishes requests. */
export const requestKey = ({ topic, id }: { topic: string; id: number }): string => `${topic}:${id}`

/**
 * Chooses the request to show. Keeps the shown request as long as it waits, so that nothing changes
 * under the user's finger.
 */
export const chooseItem = (items: readonly Item[], shownId: string | undefined): Item | undefined =>
  items.find(({ key }) => key === shownId) ?? items[0]
