import { rm } from 'node:fs/promises'
import { freePort, type Inbox, startInbox } from '@latchkey/dev'
import { makeStoredEnv, storedAtMs } from '@latchkey/server/test/makeStoredEnv'
import { stringToHex, verifyMessage } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openDeviceKey } from '../../src/auth/deviceKey.ts'
import { createDpopFetch } from '../../src/auth/dpopFetch.ts'
import { createLoginSession } from '../../src/auth/loginSession.ts'
import type { FrameContext } from '../../src/context.ts'
import { createAccount } from '../../src/handlers/createAccount.ts'
import { drawPicture } from '../../src/picture/drawings.ts'
import { pictureKey } from '../../src/picture/picture.ts'
import { readAccountType } from '../../src/requests/calls/accountType.ts'
import { readCounterpartyAddresses } from '../../src/requests/counterparties.ts'
import { findMigrationPin } from '../../src/wallet/migration/migrationPin.ts'
import { readUsed } from '../../src/wallet/migration/usedWallets.ts'
import { browserLock } from '../../src/wallet/vault.ts'
import { createKeyWork } from '../../src/wallet/worker/createKeyWork.ts'
import { createSpeaker, makeSigner } from '../addDevice.ts'
import { byKit, createDurableStore } from '../migration/twoWallets.ts'
import { openSessionKey, openStoredBrowser } from '../openStoredKeys.ts'
import { signInDevice } from '../signInDevice.ts'
import { makeDir, startVault, type VaultServer } from '../startVault.ts'
import { evmChain } from '../testRequest.ts'
import browsers from './browsers.json'
import { answerWithPasskey } from './storedPasskey.ts'

/*
 * browsers.json holds three browsers as an earlier version's frame left them, and the fixture of
 * the server's tests the database and the keyring. Ada has used everything, Grace protects her
 * wallet with a passkey, Alan has moved to a fresh wallet. They must open, sign and recover
 * forever: an unreadable record locks its owner out. Never rewrite them to make a test pass.
 */

const { ada, grace, alan } = browsers
/** The access tokens have expired by then. */
const time = { nowMs: storedAtMs + 3_600_000 }
const clock = () => time.nowMs
const confirm = 'show the recovery phrase'

let dir: string
let server: VaultServer
let inbox: Inbox
beforeAll(async () => {
  dir = await makeDir()
  inbox = await startInbox({ smtpPort: 0, port: 0 })
  const port = await freePort()
  const frame = { FRAME_PORT: String(port), FRAME_URL: `http://localhost:${port}` }
  const mail = { SMTP_URL: inbox.smtpUrl }
  server = await startVault({ clock, env: { ...(await makeStoredEnv(dir)), ...frame, ...mail } })
})
afterAll(async () => {
  await server?.remove()
  await inbox?.stop()
  await rm(dir, { recursive: true, force: true })
})
beforeEach(() => {
  time.nowMs += 60_000
  // The oldest supported Node has no `navigator`.
  vi.stubGlobal('navigator', {})
})

type StoredBrowser = typeof ada | typeof grace | typeof alan
const opened = new Map<StoredBrowser, ReturnType<typeof restoreBrowser>>()

/** Opens today's frame in a stored browser, once: a refresh token works only once. */
function openBrowser(browser: StoredBrowser) {
  const opening = opened.get(browser) ?? restoreBrowser(browser)
  opened.set(browser, opening)
  return opening
}

async function restoreBrowser({ store: stored }: StoredBrowser) {
  const { 'session key': sessionKey, ...values } = stored
  const store = { ...(await openStoredBrowser(values)), durable: true }
  await store.put('session key', await openSessionKey(sessionKey))
  const fetchHere: typeof fetch = (path, init) =>
    fetch(`${server.url}${path}`, { ...init, headers: { ...init?.headers, origin: server.url } })
  const send = createDpopFetch(() => openDeviceKey(store), fetchHere)
  const session = createLoginSession({ store, send, now: clock })
  const work = createKeyWork({ store, call: session.callPath, lock: browserLock(undefined) })
  return { store, session, work }
}

const sign = (work: ReturnType<typeof createKeyWork>, { message }: { readonly message: string }) =>
  work.signEvmMessage({ message: stringToHex(message) })

test.each([
  ['with a kit', ada],
  ['with a passkey', grace],
  ['that moved to a fresh wallet', alan],
])(
  'behavior: a browser %s continues its session, opens its wallet and signs as before',
  async (_, user) => {
    const { work, session, store } = await openBrowser(user)
    const address = user.address as `0x${string}`
    expect(await session.read()).toMatchObject({ email: user.email })
    expect(await work.getStatus({})).toMatchObject({
      status: 'ready',
      addresses: { eip155: address },
      accountType: 'smartAccount',
    })
    expect((await session.read())?.accessToken).not.toBe(user.store.session.accessToken)
    const signature = (await sign(work, user)).signature as `0x${string}`
    expect(signature).toBe(user.signature)
    expect(await verifyMessage({ address, message: user.message, signature })).toBe(true)
    const { words } = await work.exportWords({ confirm })
    expect(mnemonicToAccount(words).address).toBe(address)
    const { userId } = user.store.session
    expect(await readAccountType(store, address)).toBe('smartAccount')
    expect(drawPicture(await store.get(pictureKey(userId)))).toBeDefined()
    const used = (await readUsed(store, userId)).map(({ addresses }) => addresses.eip155)
    expect(used).toContain(address)
  },
)

test.each([
  ['wallet', ada],
  ['fresh wallet', alan],
])('behavior: the kit of a %s recovers it after a login by email', async (_, user) => {
  const device = await signInDevice({ server, inbox, email: user.email })
  expect(device.userId).toBe(user.store.session.userId)
  const work = createKeyWork({ ...device, store: createDurableStore() })
  const { addresses } = await work.recover(byKit(user.kit))
  expect(addresses.eip155).toBe(user.address)
  expect(await sign(work, user)).toEqual({ signature: user.signature })
})

test('behavior: the kit of a wallet that was moved from recovers it, to be chosen', async () => {
  const { email, oldKit, oldAddress, oldSignature } = alan
  const device = await signInDevice({ server, inbox, email })
  const work = createKeyWork({ ...device, store: createDurableStore() })
  expect((await work.recover(byKit(oldKit))).addresses.eip155).toBe(oldAddress)
  expect(await work.getStatus({})).toMatchObject({ status: 'not-enrolled', movedFrom: 'main' })
  await work.chooseWallet({ realm: 'main' })
  expect(await sign(work, alan)).toEqual({ signature: oldSignature })
})

test('behavior: a passkey signs in and recovers the wallet in a new browser', async () => {
  const { userId } = grace.store.session
  const signer = await makeSigner()
  const url = () => server.url
  const prove = createSpeaker({ url, signer, token: undefined })
  const page = { projectId: 'local', origin: server.appUrl }
  const { json } = await prove('/api/passkeys/start', { purpose: 'login', ...page })
  const challenge = String(json.challenge)
  const answer = answerWithPasskey(grace.passkey, {
    challenge,
    origin: server.url,
    topOrigin: server.appUrl,
  })
  const signedIn = await prove('/api/passkeys/verify', { challenge, answer })
  expect(signedIn).toMatchObject({ status: 200, json: { userId, email: grace.email } })
  const ask = createSpeaker({ url, signer, token: String(signedIn.json.accessToken) })
  const work = createKeyWork({
    store: createDurableStore(),
    lock: browserLock(undefined),
    call: async (path, body) => (await ask(path, body)).json,
  })
  const { credentialId, prf } = grace.passkey
  const { addresses } = await work.recover({ secret: { kind: 'passkey', credentialId, prf } })
  expect(addresses.eip155).toBe(grace.address)
  expect(await sign(work, grace)).toEqual({ signature: grace.signature })
})

test('behavior: a wallet that was moved from is still chosen, and signs as before', async () => {
  const { work, store } = await openBrowser(alan)
  expect((await findMigrationPin(store, alan.store.session.userId))?.moves).toHaveLength(1)
  const { inUse, other, isMoved } = await work.readWallets({})
  expect({ inUse, other, isMoved }).toMatchObject({
    isMoved: true,
    inUse: { addresses: { eip155: alan.address } },
    other: { isHeld: true, isNewer: false, addresses: { eip155: alan.oldAddress } },
  })
  await work.chooseWallet({ realm: other?.realm ?? '' })
  expect(await sign(work, alan)).toEqual({ signature: alan.oldSignature })
})

test('behavior: the page keeps its consent, and the recipients of the account are known', async () => {
  const { store, session } = await openBrowser(ada)
  const facts = { chains: [], otpSurface: 'frame', projectId: 'local' }
  const account = createAccount(
    { facts, store, session } as unknown as FrameContext,
    {
      origin: 'http://127.0.0.1:26313',
      emit: () => {},
      closed: new AbortController().signal,
    },
    () => {},
  )
  expect(await account.getSharedEmail()).toBe(ada.email)
  const local = { ...evmChain, id: 'eip155:31337', reference: '31337' }
  const known = '0x90f79bf6eb2c4f870365e785982e1f101e93b906'
  expect(await readCounterpartyAddresses(store, ada.address, local)).toEqual([known, known])
})
