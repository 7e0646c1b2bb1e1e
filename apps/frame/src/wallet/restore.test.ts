import { spawn } from 'node:child_process'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { soak } from '@latchkey/dev/soak'
import { expect, test } from 'vitest'
import { addDevice } from '../../test/addDevice.ts'
import { addUser, makeDir, nativeDatabase, startVault } from '../../test/startVault.ts'
import { createRecoveryKit } from './recovery/recoveryKit.ts'
import { createKeyWork } from './worker/createKeyWork.ts'

async function copyAll(from: string, to: string): Promise<void> {
  const child = spawn('cp', ['-a', from, to])
  await new Promise((resolve) => child.once('close', resolve))
}

test('restore: backups of database and keyring restore every wallet on another machine', async () => {
  const count = soak(1000, 12)
  const clock = { nowMs: Date.parse('2026-11-21T12:00:00Z') }
  const first = await startVault({ clock: () => clock.nowMs, env: nativeDatabase })
  const moved = { url: first.url }
  const made: { work: ReturnType<typeof createKeyWork>; addresses: { eip155: string } }[] = []
  const lanes = Array.from({ length: 8 }, async () => {
    while (made.length < count) {
      const device = await addDevice(first, { userId: await addUser(first), url: () => moved.url })
      const work = createKeyWork(device)
      made.push({
        work,
        addresses: (await work.create({ factors: [{ kind: 'kit', kit: createRecoveryKit() }] }))
          .addresses,
      })
    }
  })
  await Promise.all(lanes)
  await first.stop()
  const dir = await makeDir()
  const [data, keys] = [join(dir, 'data'), join(dir, 'keys')]
  // As a backup does: with the owner of each file, and without the keys.
  await copyAll(first.dir, data)
  await rename(join(data, 'keyring'), keys)
  await rm(first.dir, { recursive: true, force: true })
  const { recoverMessageAddress } = await import('viem')
  const second = await startVault({
    clock: () => clock.nowMs,
    env: { ...nativeDatabase, DATA_DIR: data, KEYRING_DIR: keys },
  })
  moved.url = second.url
  const left = [...made]
  const signing = Array.from({ length: 8 }, async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      const { signature } = await next.work.signEvmMessage({ message: '0x6869' })
      const signer = await recoverMessageAddress({
        message: 'hi',
        signature: signature as `0x${string}`,
      })
      expect(signer).toBe(next.addresses.eip155)
    }
  })
  await Promise.all(signing)
  expect(made.length).toBeGreaterThanOrEqual(count)
  await second.remove()
  await rm(dir, { recursive: true, force: true })
})
