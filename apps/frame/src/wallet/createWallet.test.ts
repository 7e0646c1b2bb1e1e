import { soak } from '@latchkey/dev/soak'
import { isError } from '@latchkey/wire'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDevice } from '../../test/addDevice.ts'
import { addUser, startVault, type VaultServer } from '../../test/startVault.ts'
import { createEmbeddedWallet } from './createWallet.ts'
import { createRecoveryKit } from './recovery/recoveryKit.ts'
import { browserLock } from './vault.ts'
import { createKeyWork } from './worker/createKeyWork.ts'

let server: VaultServer
beforeAll(async () => {
  server = await startVault()
})
afterAll(() => server?.remove())

const kitSetup = () => ({ factors: [{ kind: 'kit' as const, kit: createRecoveryKit() }] })

test('default: a wallet is made, its addresses stay, and it signs', async () => {
  const userId = await addUser(server)
  const device = await addDevice(server, { userId })
  const work = createKeyWork(device)
  expect(await work.getStatus({})).toEqual({ status: 'none', durable: false, elsewhere: false })
  const { addresses } = await work.create(kitSetup())
  const now = { status: 'ready', durable: false, addresses, accountType: 'smartAccount' }
  expect(await work.getStatus({})).toEqual(now)
  expect((await work.create(kitSetup())).addresses).toEqual(addresses)
  const { signature } = await work.signEvmMessage({ message: '0x68656c6c6f' })
  expect(signature).toMatch(/^0x[0-9a-f]{130}$/)
  const again = createKeyWork(device)
  expect(await again.getStatus({})).toEqual(now)
})

test('behavior: without a way of recovery, only this browser has the wallet until a way is added', async () => {
  const userId = await addUser(server)
  const device = await addDevice(server, { userId })
  const work = createKeyWork(device)
  const { addresses } = await work.create({ factors: [] })
  expect(await work.getStatus({})).toMatchObject({ status: 'ready', lacksRecovery: true })
  await work.signEvmMessage({ message: '0x68656c6c6f' })
  expect(await device.call('/api/wallet', {})).toMatchObject({ wallet: { factors: [] } })
  const otherDevice = await addDevice(server, { userId })
  const other = createKeyWork(otherDevice)
  expect(await other.getStatus({})).toMatchObject({ status: 'not-enrolled', addresses })
  expect(await otherDevice.call('/api/wallet', {})).toMatchObject({
    wallet: { heldAt: 'http://localhost:3000' },
  })
  await expect(other.create({ factors: [] })).rejects.toMatchObject({ code: 'WALLET_NOT_ENROLLED' })
  await expect(other.create(kitSetup())).rejects.toMatchObject({ code: 'WALLET_NOT_ENROLLED' })
  const kit = { kind: 'kit' as const, kit: createRecoveryKit() }
  await expect(other.recover({ secret: kit })).rejects.toMatchObject({ code: 'RECOVERY_FAILED' })
  await work.addFactor({ factor: kit })
  expect(await work.getStatus({})).not.toHaveProperty('lacksRecovery')
  expect(await other.recover({ secret: kit })).toEqual({ addresses })
})

test('error: if the operator requires recovery first, there is no wallet without it', async () => {
  const strict = await startVault({ env: { RECOVERY_LATER_ORIGINS: 'none' } })
  try {
    const device = await addDevice(strict, { userId: await addUser(strict) })
    await expect(createEmbeddedWallet(device, { factors: [] })).rejects.toMatchObject({
      code: 'LAST_FACTOR',
    })
    await createEmbeddedWallet(device, kitSetup())
  } finally {
    await strict.remove()
  }
})

test('first login twice: two tabs and two browsers at once make one wallet, again and again', async () => {
  for (let round = 0; round < soak(200, 10); round++) {
    const userId = await addUser(server)
    const lock = browserLock(undefined)
    const first = await addDevice(server, { userId, lock })
    const tab = { ...first }
    const second = await addDevice(server, { userId })
    const results = await Promise.allSettled(
      [first, tab, second].map((device) => createEmbeddedWallet(device, kitSetup())),
    )
    const made = results.flatMap((result) =>
      result.status === 'fulfilled' ? [result.value.addresses.eip155] : [],
    )
    expect(new Set(made).size).toBe(1)
    const rows = await server.db
      .selectFrom('wallets')
      .select('eip155')
      .where('user_id', '=', userId)
      .execute()
    expect(rows).toEqual([{ eip155: made[0] }])
    for (const result of results)
      if (result.status === 'rejected')
        expect(
          isError(result.reason, 'WALLET_EXISTS') || isError(result.reason, 'WALLET_NOT_ENROLLED'),
        ).toBe(true)
  }
})
