import { expect, test } from 'vitest'
import { addDevice } from '../../../test/addDevice.ts'
import { forgeMove } from '../../../test/migration/forgeMigration.ts'
import { type Lie, respondFalsely } from '../../../test/migration/respondFalsely.ts'
import { runVault } from '../../../test/migration/runVault.ts'
import { addBrowser, byKit, createDurableStore } from '../../../test/migration/twoWallets.ts'
import { addUser, failsWith, type VaultServer } from '../../../test/startVault.ts'
import { createRecoveryKit } from '../recovery/recoveryKit.ts'
import { deleteRecord } from '../walletRecord.ts'
import { createKeyWork } from '../worker/createKeyWork.ts'

/*
 * A forged move, and a recovery by email of the wallet that it leads to. This server sends no
 * email: MAIL_NOT_SENT shows that the operator received the request.
 */

let server: VaultServer
const time = runVault((started) => {
  server = started
})

type Browser = Awaited<ReturnType<typeof addBrowser>>
const id = 'a'.repeat(32)

/** A browser that has created its wallet, and was closed. */
async function createAlone() {
  const userId = await addUser(server)
  const kit = createRecoveryKit()
  const device = await addDevice(server, { userId, store: createDurableStore() })
  const work = createKeyWork(device)
  await work.create({ factors: [{ kind: 'operator' }, { kind: 'kit', kit }] })
  return { userId, device, work, kit }
}

const pinOf = (userId: string) => `move ${userId}`
const usedOf = (userId: string) => `used ${userId}`

/**
 * Expects that email never brings the attacker's wallet, and brings the user's wallet only if the
 * server shows it.
 */
async function expectOwnAlone({ device, work }: Browser, lie: Lie, realm: string) {
  const misled = respondFalsely(device, lie)
  await expect(misled.startAssisted({ realm })).rejects.toSatisfy(failsWith('RECOVERY_FAILED'))
  await expect(misled.finishAssisted({ id, realm })).rejects.toSatisfy(failsWith('RECOVERY_FAILED'))
  await expect(work.startAssisted({ realm: 'main' })).rejects.toSatisfy(failsWith('MAIL_NOT_SENT'))
}

test('error: no wallet of a forged move is recovered by email, even after the record is lost', async () => {
  const kinds = {
    'created its wallet': async () => createAlone(),
    'stored nothing beside it': async () => {
      const made = await createAlone()
      await made.device.store.delete(usedOf(made.userId))
      return made
    },
    'got it by its kit': async () => {
      const { userId, kit } = await createAlone()
      const browser = await addBrowser(server, { userId })
      await browser.work.recover(byKit(kit))
      return { ...browser, userId }
    },
  }
  for (const [kind, make] of Object.entries(kinds)) {
    time.nowMs += 3_600_000
    const { userId, device, work } = await make()
    const { lie, foreign } = await forgeMove({ device, work })
    const { realm, addresses } = foreign
    const asked = { status: 'not-enrolled', addresses, movedFrom: 'main' }
    expect(await respondFalsely(device, lie).getStatus({}), kind).toMatchObject(asked)
    await expectOwnAlone({ device, work }, lie, realm)
    await deleteRecord(device.store, { userId, realm: 'main' })
    await expectOwnAlone({ device, work: createKeyWork(device) }, lie, realm)
  }
})

test('error: what an older frame has pinned of a forged move brings its wallet by no e-mail', async () => {
  const { userId, device, work } = await createAlone()
  const { lie, move, foreign } = await forgeMove({ device, work })
  const { realm } = foreign
  await device.store.delete(usedOf(userId))
  await device.store.put(pinOf(userId), { v: 1, realm, moves: [move] })
  await expectOwnAlone({ device, work }, lie, realm)
  expect(await respondFalsely(device, lie).getStatus({})).toMatchObject({ movedFrom: 'main' })
  await expectOwnAlone({ device, work }, lie, realm)
  // What it held is noted by now.
  await device.store.put(`wallet ${userId}`, { v: 1, broken: true })
  await expectOwnAlone({ device, work: createKeyWork(device) }, lie, realm)
})
