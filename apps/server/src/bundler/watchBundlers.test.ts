import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeServices } from '../../test/makeServices.ts'
import { openTestDatabase } from '../../test/openTestDatabase.ts'
import { healthRoutes } from '../health/routes.ts'
import { watchBundlers } from './watchBundlers.ts'

let opened: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  opened = await openTestDatabase()
})
afterAll(() => opened?.close())

const stuck = 'eip155:1'
const fine = 'eip155:2'

test('default: /ready and the metrics report a network whose bundler is stuck, as long as it is', async () => {
  const { db } = opened
  const services = { ...makeServices({}), db }
  watchBundlers(services, [stuck, fine])
  const app = healthRoutes(services)
  const readDetails = async () => {
    const answer = (await (await app.request('/ready')).json()) as { details?: object[] }
    return answer.details ?? []
  }
  const addBundle = (chain: string, minutes: number) =>
    sql`insert into user_operation_bundles (chain_id, hash, raw, nonce, created_at)
      values (${chain}, ${`0x${minutes}`}, '0x', 0, now() - make_interval(mins => ${minutes}))`.execute(
      db,
    )
  await addBundle(fine, 4)
  expect(await readDetails()).toEqual([])
  await addBundle(stuck, 7)
  expect(await readDetails()).toEqual([
    { field: 'bundler', description: 'eip155:1: the oldest bundle has waited for 7 minutes' },
  ])
  const metrics = await services.metrics.registry.metrics()
  expect(metrics).toMatch(
    /latchkey_bundler_waiting_seconds\{chain="eip155:1",what="bundle"\} 4[2-9]\d/,
  )
  expect(metrics).toContain('latchkey_bundler_waiting_seconds{chain="eip155:1",what="operation"} 0')

  await db.updateTable('user_operation_bundles').set({ settled: true }).execute()
  expect(await readDetails()).toEqual([])
  await sql`insert into user_operations (chain_id, hash, sender, nonce, operation, max_priority_fee, status, created_at)
    values (${stuck}, '0x1', '0x', '0', '{}', '1', 'pending', now() - interval '31 minutes')`.execute(
    db,
  )
  expect(await readDetails()).toEqual([
    { field: 'bundler', description: 'eip155:1: the oldest operation has waited for 31 minutes' },
  ])
})
