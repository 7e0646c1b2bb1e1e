import { spawn } from 'node:child_process'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isError, type WalletAddresses } from '@latchkey/wire'
import { recoverMessageAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDevice } from '../../test/addDevice.ts'
import { addUser, makeDir, nativeDatabase, startVault } from '../../test/startVault.ts'
import { createWallet } from './createWallet.ts'
import { createKit } from './recovery/kit.ts'
import { createLock } from './vault.ts'
import { createKeyWork } from './worker/createKeyWork.ts'

let server: Awaited<ReturnType<typeof startVault>>
/** The wallets of `server` and the browsers that hold them: the last test restores those of the tests before it too. */
const wallets: { work: ReturnType<typeof createKeyWork>; addresses: WalletAddresses }[] = []
beforeAll(async () => {
  server = await startVault({ env: nativeDatabase })
})
afterAll(() => server?.remove())

const kitSetup = () => ({ factors: [{ kind: 'kit' as const, kit: createKit() }] })

/** A browser that finds the server wherever it is. */
const addBrowser = (options: Omit<Parameters<typeof addDevice>[1], 'url'>) =>
  addDevice(server, { ...options, url: () => server.url })

/** Does the work of eight items at a time: each waits for the server. */
async function inLanes<T>(items: IterableIterator<T>, work: (item: T) => Promise<void>) {
  const lane = async () => {
    for (const item of items) await work(item)
  }
  await Promise.all(Array.from({ length: 8 }, lane))
}

test('default: a wallet is made, its addresses stay, and it signs', async () => {
  const userId = await addUser(server)
  const device = await addBrowser({ userId })
  const work = createKeyWork(device)
  expect(await work.getStatus({})).toEqual({ status: 'none', durable: false, elsewhere: false })
  const { addresses } = await work.create(kitSetup())
  expect(await work.getStatus({})).toEqual({ status: 'ready', durable: false, addresses })
  expect((await work.create(kitSetup())).addresses).toEqual(addresses)
  const { signature } = await work.signEvmMessage({ message: '0x68656c6c6f' })
  expect(signature).toMatch(/^0x[0-9a-f]{130}$/)
  const again = createKeyWork(device)
  expect(await again.getStatus({})).toEqual({ status: 'ready', durable: false, addresses })
  wallets.push({ work, addresses })
})

test('error: without a way to recover there is no wallet', async () => {
  const device = await addBrowser({ userId: await addUser(server) })
  await expect(createWallet(device, { factors: [] })).rejects.toThrow('only way to recover')
})

test('row 37: two tabs and two browsers at once make one wallet, 200 times', async () => {
  await inLanes(Array(200).keys(), async () => {
    const userId = await addUser(server)
    const lock = createLock()
    const first = await addBrowser({ userId, lock })
    const tab = { ...first }
    const second = await addBrowser({ userId })
    const results = await Promise.allSettled(
      [first, tab, second].map(async (device) => ({
        addresses: await createWallet(device, kitSetup()),
        work: createKeyWork(device),
      })),
    )
    const made = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
    expect(new Set(made.map(({ addresses }) => addresses.eip155)).size).toBe(1)
    const rows = await server.db
      .selectFrom('wallets')
      .select('eip155')
      .where('user_id', '=', userId)
      .execute()
    expect(rows).toEqual([{ eip155: made[0]?.addresses.eip155 }])
    for (const result of results)
      if (result.status === 'rejected')
        expect(
          isError(result.reason, 'WALLET_EXISTS') || isError(result.reason, 'WALLET_NOT_ENROLLED'),
        ).toBe(true)
    wallets.push(...made.slice(0, 1))
  })
})

test('row 68: a backup of the database and one of the keyring bring every wallet back on another machine', {
  timeout: 1_800_000,
}, async () => {
  const count = 1000
  await inLanes(Array(count - wallets.length).keys(), async () => {
    const work = createKeyWork(await addBrowser({ userId: await addUser(server) }))
    wallets.push({ work, ...(await work.create(kitSetup())) })
  })
  await server.stop()
  const dir = await makeDir()
  const [data, keys] = [join(dir, 'data'), join(dir, 'keys')]
  // As a backup does: with the owner of each file, and without the keys.
  await copyAll(server.dir, data)
  await rename(join(data, 'keyring'), keys)
  await rm(server.dir, { recursive: true, force: true })
  server = await startVault({ env: { ...nativeDatabase, DATA_DIR: data, KEYRING_DIR: keys } })
  expect(wallets.length).toBeGreaterThanOrEqual(count)
  await inLanes(wallets.values(), async ({ work, addresses }) => {
    const { signature } = await work.signEvmMessage({ message: '0x6869' })
    const signer = await recoverMessageAddress({
      message: 'hi',
      signature: signature as `0x${string}`,
    })
    expect(signer).toBe(addresses.eip155)
  })
  await server.stop()
  await rm(dir, { recursive: true, force: true })
})

async function copyAll(from: string, to: string): Promise<void> {
  const child = spawn('cp', ['-a', from, to])
  await new Promise((resolve) => child.once('close', resolve))
}
