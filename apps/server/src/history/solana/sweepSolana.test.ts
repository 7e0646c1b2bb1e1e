import { expect, onTestFinished, test } from 'vitest'
import { openTestDatabase } from '../../../test/openTestDatabase.ts'
import type { SignatureEntry } from './readSignatures.ts'
import { openAccount, storeProgress } from './solanaStore.ts'
import { sweepSolana } from './sweepSolana.ts'

const chainId = 'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z'

const entries = (count: number): SignatureEntry[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ signature: `${index}`, slot: BigInt(index), minedAtMs: 1 },
    ...{ failed: false, final: true },
  }))

test('behavior: too many transactions: the largest accounts are deleted; too many accounts: the oldest', async () => {
  const { db, close } = await openTestDatabase()
  onTestFinished(close)
  const sizes = { small: 10, large: 500, medium: 40 }
  for (const [owner, size] of Object.entries(sizes)) {
    const { id } = await openAccount(db, { chainId, owner })
    const refreshedAt = new Date(size)
    await storeProgress(db, { accountId: id, lists: [], entries: entries(size), refreshedAt })
  }
  const left = async () => {
    const rows = await db.selectFrom('solana_accounts').select('address').orderBy('id').execute()
    return rows.map(({ address }) => address)
  }
  await sweepSolana(db, { transactions: 550, accounts: 3 })
  expect(await left()).toEqual(['small', 'large', 'medium'])
  await sweepSolana(db, { transactions: 549, accounts: 3 })
  expect(await left()).toEqual(['small', 'medium'])
  await sweepSolana(db, { transactions: 549, accounts: 1 })
  expect(await left()).toEqual(['medium'])
})

test('behavior: the progress of an account that was deleted meanwhile is not stored', async () => {
  const { db, close } = await openTestDatabase()
  onTestFinished(close)
  const { id } = await openAccount(db, { chainId, owner: 'gone' })
  await sweepSolana(db, { transactions: 0, accounts: 0 })
  await storeProgress(db, { accountId: id, lists: [], entries: entries(3) })
  const rows = await db.selectFrom('solana_transactions').select('signature').execute()
  expect(rows).toEqual([])
})
