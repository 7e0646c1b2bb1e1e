import type { VaultState } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { addDevice } from '../../../test/addDevice.ts'
import { type Lie, respondFalsely } from '../../../test/migration/respondFalsely.ts'
import { runVault } from '../../../test/migration/runVault.ts'
import {
  addBrowser,
  byKit,
  createDurableStore,
  makeTwoWallets,
} from '../../../test/migration/twoWallets.ts'
import { addUser, failsWith, type VaultServer } from '../../../test/startVault.ts'
import { findMigrationPin } from '../migration/migrationPin.ts'
import { deleteRecord } from '../walletRecord.ts'
import { createKeyWork } from '../worker/createKeyWork.ts'
import { createRecoveryKit } from './recoveryKit.ts'

let server: VaultServer
runVault((started) => {
  server = started
})

const foreignRealm = 'main-10'

/** Creates an attacker's wallet, which the operator can recover. */
async function makeForeign() {
  const { device } = await makeTwoWallets(server)
  const { wallet } = (await device.call('/api/wallet', {})) as VaultState
  if (!wallet) throw new Error('there is no wallet')
  const { slot: _, ...shown } = wallet
  return { id: shown.id, realm: foreignRealm, addresses: shown.addresses, wallet: shown }
}

/** Expects that email brings no wallet, for any requested realm. */
async function expectNoRecovery(work: ReturnType<typeof createKeyWork>, realm: string) {
  for (const recover of [
    () => work.startAssisted({ realm }),
    () => work.finishAssisted({ id: 'a'.repeat(32), realm }),
  ])
    await expect(recover()).rejects.toSatisfy(failsWith('RECOVERY_FAILED'))
}

test('error: a server withholds a browser’s only wallet and shows another for recovery by email', async () => {
  const userId = await addUser(server)
  const device = await addDevice(server, { userId, store: createDurableStore() })
  const own = createKeyWork(device)
  const kit = createRecoveryKit()
  const { addresses } = await own.create({ factors: [{ kind: 'kit', kit }] })
  const foreign = await makeForeign()
  const lie: Lie = (state, body) => {
    if (body.realm === 'main') return { ...state, wallet: undefined }
    return { ...state, realm: foreign.realm, wallet: foreign.wallet }
  }
  const misled = respondFalsely(device, lie)
  expect(await misled.getStatus({})).toMatchObject({ status: 'quarantined', addresses })
  await expectNoRecovery(misled, foreign.realm)
  // The wallet that it has is still there for an honest server.
  expect(await own.getStatus({})).toMatchObject({ status: 'ready', addresses })
})

test('error: a server names an attacker’s wallet as the fresh wallet, for a recovery by email', async () => {
  const userId = await addUser(server)
  const device = await addDevice(server, { userId, store: createDurableStore() })
  const own = createKeyWork(device)
  const { addresses } = await own.create({ factors: [{ kind: 'operator' }] })
  const { wallet, ...other } = await makeForeign()
  const misled = respondFalsely(device, (state, body) =>
    body.realm === foreignRealm
      ? { ...state, realm: foreignRealm, wallet }
      : { ...state, other: { ...other, isHeld: false } },
  )
  expect(await misled.getStatus({})).toMatchObject({ status: 'ready', addresses })
  await expectNoRecovery(misled, foreignRealm)
})

test('behavior: email recovers the wallet that the current wallet was moved from, and no other', async () => {
  const { userId, work, kit } = await makeTwoWallets(server)
  await work.migrate({ kit })
  const { device, work: empty } = await addBrowser(server, { userId })
  await empty.recover(byKit(kit))
  const { wallet } = await makeForeign()
  const misled = respondFalsely(device, (state, body) =>
    body.realm === 'main' ? { ...state, wallet } : state,
  )
  await expect(misled.finishAssisted({ id: 'a'.repeat(32), realm: 'main' })).rejects.toSatisfy(
    failsWith('RECOVERY_FAILED'),
  )
  // The operator received the request; this server sends no email.
  await expect(empty.startAssisted({ realm: 'main' })).rejects.toSatisfy(failsWith('MAIL_NOT_SENT'))
})

test('behavior: the operator recovers a wallet again in a browser that holds it', async () => {
  const userId = await addUser(server)
  const device = await addDevice(server, { userId, store: createDurableStore() })
  const own = createKeyWork(device)
  await own.create({ factors: [{ kind: 'operator' }] })
  await expect(own.startAssisted({})).rejects.toSatisfy(failsWith('MAIL_NOT_SENT'))
})

test('behavior: a browser recovers its lost wallet by email, also after it began a move, and no other', async () => {
  const userId = await addUser(server)
  const store = createDurableStore()
  const device = await addDevice(server, { userId, store })
  const own = createKeyWork(device)
  await own.create({ factors: [{ kind: 'operator' }] })
  await expect(own.createReplacement({ kit: createRecoveryKit() })).rejects.toSatisfy(
    failsWith('STEP_UP_NEEDED'),
  )
  expect((await findMigrationPin(store, userId))?.fresh).toBeDefined()
  await deleteRecord(store, { userId, realm: 'main' })
  await expect(own.startAssisted({})).rejects.toSatisfy(failsWith('MAIL_NOT_SENT'))
  const { wallet } = await makeForeign()
  const misled = respondFalsely(device, (state) => ({ ...state, realm: foreignRealm, wallet }))
  await expectNoRecovery(misled, foreignRealm)
})

test('behavior: after a kill while bringing the new wallet, email recovers only the old wallet', async () => {
  const { userId, work, kit, ids } = await makeTwoWallets(server)
  await work.migrate({ kit })
  const store = createDurableStore()
  const device = await addDevice(server, { userId, store })
  const empty = createKeyWork(device)
  await empty.recover(byKit(kit))
  await deleteRecord(store, { userId, realm: ids.realm })
  await expect(empty.startAssisted({ realm: 'main' })).rejects.toSatisfy(failsWith('MAIL_NOT_SENT'))
  const { wallet } = await makeForeign()
  const misled = respondFalsely(device, (state, { realm = foreignRealm }) => ({
    ...state,
    realm,
    wallet,
  }))
  for (const realm of ['main', ids.realm])
    await expect(misled.finishAssisted({ id: 'a'.repeat(32), realm })).rejects.toSatisfy(
      failsWith('RECOVERY_FAILED'),
    )
  await expectNoRecovery(misled, foreignRealm)
})

test('error: a server that names another wallet than the first for a new user makes none', async () => {
  const userId = await addUser(server)
  const device = await addDevice(server, { userId, store: createDurableStore() })
  const factors = [{ kind: 'kit' as const, kit: createRecoveryKit() }]
  const misled = respondFalsely(device, (state) => ({ ...state, realm: foreignRealm }))
  await expect(misled.create({ factors })).rejects.toSatisfy(failsWith('WALLET_QUARANTINED'))
  const own = createKeyWork(device)
  const { addresses } = await own.create({ factors })
  expect(await own.getStatus({})).toMatchObject({ status: 'ready', addresses })
})
