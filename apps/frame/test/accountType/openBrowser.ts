import {
  type FramePageFacts,
  LatchkeyError,
  setAccountTypeRoute,
  type WalletAddresses,
} from '@latchkey/wire'
import type { LoginSession } from '../../src/auth/loginSession.ts'
import type { FrameContext } from '../../src/context.ts'
import { createDelegations } from '../../src/flows/delegations.ts'
import { ensureWallet } from '../../src/flows/ensureWallet.ts'
import { readAccountType } from '../../src/requests/calls/accountType.ts'
import { createScreenQueue } from '../../src/screens/screenQueue.ts'
import { createMemoryStore } from '../../src/wallet/keyStore.ts'
import { callVault, type VaultCall } from '../../src/wallet/vaultServer.ts'
import { createKeyWork } from '../../src/wallet/worker/createKeyWork.ts'
import { addDevice } from '../addDevice.ts'
import type { VaultServer } from '../startVault.ts'

type Options = { readonly userId: string; readonly change?: (call: VaultCall) => VaultCall }

/**
 * A browser whose frame follows how the account sends. `change`: what lies between it and the
 * server.
 */
export async function openBrowser(
  server: VaultServer,
  { userId, change = (call) => call }: Options,
) {
  const device = await addDevice(server, { userId })
  const link = { isUp: true }
  const sent: unknown[] = []
  const call = change(device.call)
  const session = {
    call: (route: typeof setAccountTypeRoute, body: never) => {
      if (route.path === setAccountTypeRoute.path) sent.push(body)
      if (!link.isUp) throw new LatchkeyError('OFFLINE')
      return callVault(call, route, body)
    },
  } as unknown as LoginSession
  const work = createKeyWork({ ...device, call })
  const keys = {
    do: (name: keyof typeof work, params: never) => work[name](params),
    close: () => {},
  } as unknown as FrameContext['keys']
  const store = createMemoryStore()
  const facts = { projectId: 'local', chains: [] } as unknown as FramePageFacts
  const screenQueue = createScreenQueue()
  const context = { keys, screenQueue, session, store, facts } as unknown as FrameContext
  return {
    device,
    work,
    store,
    session,
    /** Whether choices reach the server. */
    link,
    /** The choices that were sent. */
    sent,
    /** The first request of a page when it loads. */
    load: async (): Promise<WalletAddresses> => {
      const { signal } = new AbortController()
      return (await ensureWallet(context, { origin: 'http://app.example', signal })).addresses
    },
    /** The settings page, newly opened. */
    get settings() {
      return createDelegations({ facts, store, session, keys, read: async () => null })
    },
    type: ({ eip155 }: WalletAddresses) => readAccountType(store, eip155),
  }
}

export type TypeBrowser = Awaited<ReturnType<typeof openBrowser>>
