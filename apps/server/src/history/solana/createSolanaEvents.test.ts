import { encodeBase58 } from '@latchkey/wire'
import { expect, onTestFinished, test } from 'vitest'
import { honestSolana, startUpstream } from '../../../test/fakeUpstream.ts'
import { chainWith, makeServices } from '../../../test/makeServices.ts'
import { openTestDatabase } from '../../../test/openTestDatabase.ts'
import { createUpstreams } from '../../nodes/upstreams.ts'
import { createSolanaEvents } from './createSolanaEvents.ts'
import { openAccount, storeProgress } from './solanaStore.ts'

const genesis = '5ZZj1D5GxruNRRNgMXnCNbnGtQw6B5vUnGzeCe1P1dFz'
const chainId = `solana:${genesis.slice(0, 32)}` as const
const owner = encodeBase58(new Uint8Array(32).fill(3))

test('default: one poll for all listeners; each gets a change, and the history is read again', async () => {
  let lamports: unknown = 5
  const node = await startUpstream(
    honestSolana(genesis, {
      getBalance: () => ({ value: lamports }),
      getTokenAccountsByOwner: { value: [] },
    }),
  )
  onTestFinished(node.stop)
  const services = makeServices({ [chainId]: chainWith([node.url]) })
  const database = await openTestDatabase()
  onTestFinished(database.close)
  const { db } = database
  const { id } = await openAccount(db, { chainId, owner })
  await storeProgress(db, { accountId: id, lists: [], entries: [], refreshedAt: new Date() })
  const events = createSolanaEvents({ ...services, db, upstreams: createUpstreams(services) }, 5)
  const heard: string[] = []
  const account = { chainId, address: owner }
  const stopOne = events.listen(account, ({ type }) => heard.push(`one ${type}`))
  const stopTwo = events.listen(account, ({ type }) => heard.push(`two ${type}`))
  const looks = () => node.bodies.filter((method) => method === 'getBalance').length
  await expect.poll(looks).toBeGreaterThan(2)
  expect(heard).toEqual([])
  lamports = 'no number'
  const before = looks()
  await expect.poll(looks).toBeGreaterThan(before + 1)
  expect(heard).toEqual([])
  stopTwo()
  lamports = 6
  await expect.poll(() => heard).toEqual(['one changed'])
  expect((await openAccount(db, { chainId, owner })).refreshedAtMs).toBe(0)
  stopOne()
  expect(await events.sync(account)).toEqual({ complete: true, progress: 1, since: null })
})
