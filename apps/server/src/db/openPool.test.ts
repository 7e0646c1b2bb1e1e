import { makeDatabase } from '@latchkey/dev'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { runForClient } from '../http/currentClient.ts'
import { openPool, requestPatience } from './openPool.ts'

async function open(timeoutMs: number) {
  const log = pino({ level: 'silent' })
  const patience = requestPatience(timeoutMs)
  const pool = openPool(await makeDatabase(), { max: 4, patience, log })
  onTestFinished(() => pool.end())
  const query = async (text: string) => {
    const connection = await pool.connect()
    try {
      return await connection.query<{ one: number }>(text, [])
    } finally {
      connection.release()
    }
  }
  return (client: string, text: string) => runForClient(client, () => query(text))
}

test('behavior: a client with slow queries leaves connections to others', async () => {
  const ask = await open(30_000)
  const slow = Array.from({ length: 20 }, () => ask('attacker', 'select pg_sleep(600)'))
  for (const one of slow) one.catch(() => {})
  for (let times = 0; times < 10; times++)
    expect((await ask('other', 'select 1 as one')).rows).toEqual([{ one: 1 }])
})

test('error: a query whose turn does not come in time', async () => {
  const ask = await open(500)
  const slow = Array.from({ length: 3 }, () => ask('attacker', 'select pg_sleep(600)'))
  const ends = await Promise.allSettled(slow)
  expect(ends.map((end) => end.status === 'rejected' && end.reason.code)).toEqual(
    slow.map(() => 'DATABASE_UNAVAILABLE'),
  )
  expect((await ask('attacker', 'select 1 as one')).rows).toEqual([{ one: 1 }])
})
