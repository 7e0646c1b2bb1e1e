import { expect, onTestFinished, test } from 'vitest'
import { openTestDatabase } from '../../../test/openTestDatabase.ts'
import { createMetrics } from '../../metrics/metrics.ts'
import { createSponsorshipAlerts } from './sponsorshipAlerts.ts'

const chainId = 'eip155:31337'
const sponsorship = {
  paymaster: '0x00000000000000000000000000000000000c0de3',
  name: 'Shop',
  weiPerAccountAndDay: 10n ** 18n,
  weiPerDay: 4n * 10n ** 18n,
  gasPerOperation: 5_000_000n,
  weiPerClientAndDay: 4n * 10n ** 18n,
}

async function start() {
  const { db, close } = await openTestDatabase()
  onTestFinished(close)
  const metrics = createMetrics()
  const alerts: string[] = []
  const time = { nowMs: Date.UTC(2026, 0, 1, 12) }
  const tell = createSponsorshipAlerts({
    db,
    metrics,
    clock: () => time.nowMs,
    chains: { [chainId]: { smartAccounts: { bundler: 'own', sponsorship } }, 'eip155:1': {} },
    alertOperator: ({ about, everyMs, mail }) =>
      void alerts.push(`${about} / ${everyMs} / ${mail.subject}`),
  })
  return { db, registry: metrics.registry, alerts, time, tell }
}

test('default: refusals are counted by limit, and the operator is notified if the network limit is reached', async () => {
  const { tell, registry, alerts } = await start()
  for (const limit of ['account', 'operation', 'account', 'network'] as const) tell(chainId, limit)
  const metrics = await registry.metrics()
  for (const [limit, count] of Object.entries({ account: 2, operation: 1, network: 1 }))
    expect(metrics).toContain(
      `latchkey_sponsorship_refusals_total{chain="${chainId}",limit="${limit}"} ${count}`,
    )
  expect(alerts).toEqual([
    `sponsorship ${chainId} 2026-01-01 / 86400000 / Today’s fee budget for ${chainId} is used up`,
  ])
})

test('behavior: today’s promised amount is read at each scrape and starts at zero each day', async () => {
  const { db, registry, time } = await start()
  const ratio = 'latchkey_sponsorship_promised_ratio{chain="eip155:31337"}'
  expect(await registry.metrics()).toContain(`${ratio} 0\n`)
  const day = '2026-01-01'
  const row = { chain_id: chainId, account: 'all', day, wei: String(10n ** 18n) }
  await db.insertInto('sponsored_days').values(row).execute()
  expect(await registry.metrics()).toContain(`${ratio} 0.25\n`)
  time.nowMs += 12 * 3_600_000
  expect(await registry.metrics()).toContain(`${ratio} 0\n`)
})

test('error: without the database only what it knows is missing', async () => {
  const { db, registry } = await start()
  await db.schema.dropTable('sponsored_days').execute()
  const metrics = await registry.metrics()
  expect(metrics).not.toContain('latchkey_sponsorship_promised_ratio{')
  expect(metrics).toContain('latchkey_sponsorship_refusals_total{')
})
