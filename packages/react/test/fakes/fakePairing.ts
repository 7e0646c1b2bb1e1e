import {
  type Connector,
  type ConnectResult,
  type PeerWallet,
  walletConnectId,
} from '@latchkey/core/internal'
import type { LatchkeyError } from '@latchkey/wire'

type Attempt = {
  wallet: PeerWallet | undefined
  signal: AbortSignal
  /** The relay has the pairing, or a new one. */
  offer: (uri: string) => void
  approve: (result?: Partial<ConnectResult>) => void
  fail: (error: unknown) => void
  /** The relay has gone, or is back. */
  relay: (problem?: LatchkeyError) => void
}

export type FakePairing = { connector: Connector; attempts: Attempt[]; latest: () => Attempt }

/** A connector that reaches wallets by a pairing; the test controls the relay and the wallet. */
export function createFakePairing({ firstUri }: { firstUri?: string } = {}): FakePairing {
  const attempts: Attempt[] = []
  const granted: ConnectResult = {
    accounts: [
      { namespace: 'eip155', address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', type: 'eoa' },
    ],
    chainId: 'eip155:31337',
  }
  const connector: Connector = {
    info: {
      id: walletConnectId,
      kind: 'walletConnect',
      name: 'WalletConnect',
      traits: { pairs: true, approvesLate: true, reconnectsSavedOnly: true },
      namespaces: ['eip155'],
    },
    connect: ({ wallet, signal, onUri, onRelay }) =>
      new Promise((resolve, reject) => {
        const offer = (uri: string) =>
          onUri?.({ uri, renewAtMs: Date.now() + 240_000, expiresAtMs: Date.now() + 600_000 })
        attempts.push({
          wallet,
          signal,
          offer,
          approve: (result) => resolve({ ...granted, ...result }),
          fail: reject,
          relay: (problem) => onRelay?.(problem),
        })
        if (firstUri !== undefined) offer(firstUri)
      }),
    authorized: async () => undefined,
    request: async () => new Promise<never>(() => {}),
    disconnect: async () => {},
    subscribe: () => () => {},
  }
  const latest = () => {
    const attempt = attempts.at(-1)
    if (!attempt) throw new Error('No attempt was made')
    return attempt
  }
  return { connector, attempts, latest }
}
