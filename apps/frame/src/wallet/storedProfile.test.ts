import type { LoginTokens } from '@latchkey/wire'
import { beforeEach, expect, test, vi } from 'vitest'
import { openSessionKey, openStoredBrowser } from '../../test/openStoredKeys.ts'
import profile from '../../test/storedProfile.json'
import { evmChain } from '../../test/testRequest.ts'
import { openDeviceKey } from '../auth/deviceKey.ts'
import { createLoginSession } from '../auth/loginSession.ts'
import { readCounterpartyAddresses } from '../requests/counterparties.ts'
import { fromBase64Url } from './crypto/bytes.ts'
import { hpkeSeal } from './crypto/hpke.ts'
import { createMemoryStore, type KeyStore } from './keyStore.ts'
import { openKeyStore } from './openKeyStore.ts'
import { recoverOffline } from './recovery/recoveryBundle.ts'
import { browserLock } from './vault.ts'
import { createKeyWork } from './worker/createKeyWork.ts'

/*
 * storedProfile.json holds the data that an earlier version of the frame left in a browser and on
 * its server, byte for byte. It must open forever: an unreadable record locks its owner out. Never
 * rewrite it to make these tests pass.
 */

beforeEach(() => {
  // The oldest supported Node has no `navigator`.
  vi.stubGlobal('navigator', {})
})

/** The store as that browser has it, its keys not extractable. */
async function openProfile(): Promise<KeyStore> {
  const { 'session key': sessionKey, ...values } = profile.store
  const store = await openStoredBrowser(values)
  await store.put('session key', await openSessionKey(sessionKey))
  return store
}

type Change = {
  readonly changeId: string
  readonly epoch: number
  readonly deviceKey: string
  readonly manifest: object
  readonly slots: readonly { readonly share: string; readonly sealedRecoveryShare: object }[]
}

/**
 * The server as it answered then. A change that is prepared is committed: its share is the one
 * released from then on.
 */
function createServer() {
  const { wallet } = profile.answers['/api/wallet']
  let change: Change | undefined
  return async (path: string, body: unknown) => {
    if (path === '/api/wallet/prepare') {
      change = body as Change
      return { changeId: change.changeId, secondsLeft: 600 }
    }
    if (path === '/api/wallet/commit') return { walletId: wallet.id, epoch: change?.epoch }
    if (change && path === '/api/share') {
      const { changeId, epoch, deviceKey, slots } = change
      const context = ['share', wallet.id, profile.deviceId, changeId, epoch]
      const share = fromBase64Url(slots[0]?.share ?? '')
      return { changeId, epoch, sealed: await hpkeSeal(deviceKey, share, context) }
    }
    if (change && path === '/api/wallet') {
      const { changeId, epoch, manifest, slots } = change
      const slot = { changeId, epoch, sealedRecoveryShare: slots[0]?.sealedRecoveryShare }
      return { ...profile.answers['/api/wallet'], wallet: { ...wallet, manifest, slot } }
    }
    return profile.answers[path as keyof typeof profile.answers]
  }
}

const openWork = (store: KeyStore) =>
  createKeyWork({ store, call: createServer(), lock: browserLock(undefined) })

test('behavior: an old profile opens and signs', async () => {
  const { addresses, signature, solanaSignature, words } = profile
  const work = openWork(await openProfile())
  expect(await work.getStatus({})).toMatchObject({ status: 'ready', addresses })
  expect(await work.signEvmMessage({ message: '0x6869' })).toEqual({ signature })
  expect(await work.signSolanaMessage({ message: 'aGk' })).toEqual({ signature: solanaSignature })
  expect(await work.exportWords({ confirm: 'show the recovery phrase' })).toEqual({ words })
})

test('behavior: its kit recovers the wallet in a browser that has nothing', async () => {
  const { addresses, kit, signature } = profile
  const store = createMemoryStore()
  // What the server sealed to the browser that asked is for its keys.
  await store.put('browser keys', await (await openProfile()).get('browser keys'))
  const work = openWork(store)
  expect(await work.recover({ secret: { kind: 'kit', kit } })).toEqual({ addresses })
  expect(await work.signEvmMessage({ message: '0x6869' })).toEqual({ signature })
})

test('behavior: its bundle and its kit give the phrase without a server', async () => {
  const { bundle, kit, words, addresses } = profile
  expect(await recoverOffline(JSON.stringify(bundle), { kind: 'kit', kit })).toEqual({
    words,
    addresses,
  })
})

test('behavior: its session continues, with its original key', async () => {
  const store = await openProfile()
  const session = createLoginSession({ store, send: async () => ({}), now: Date.now })
  const { email, userId } = profile.store.session satisfies LoginTokens
  expect(await session.read()).toMatchObject({ email, userId })
  const { x, y } = profile.store['session key'].publicKey
  expect((await openDeviceKey(store)).jwk).toMatchObject({ x, y })
})

test('behavior: the addresses that its owner sent to are still known', async () => {
  const { eip155 } = profile.addresses
  expect(await readCounterpartyAddresses(await openProfile(), eip155, evmChain)).toEqual([
    `0x${'2'.repeat(40)}`,
  ])
})

test('behavior: the frame opens the same database and object store', async () => {
  const createObjectStore = vi.fn()
  const request = { result: { createObjectStore }, error: null } as unknown as IDBOpenDBRequest
  const open = vi.fn(() => {
    queueMicrotask(() => {
      request.onupgradeneeded?.({} as IDBVersionChangeEvent)
      request.onerror?.(new Event('error'))
    })
    return request
  })
  await openKeyStore({ open } as unknown as IDBFactory)
  expect(open).toHaveBeenCalledWith('latchkey-wallet', 1)
  expect(createObjectStore).toHaveBeenCalledWith('values')
})
