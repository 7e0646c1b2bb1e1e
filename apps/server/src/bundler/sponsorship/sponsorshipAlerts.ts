import type { ChainId } from '@latchkey/wire'
import { sql } from 'kysely'
import { Counter, Gauge } from 'prom-client'
import { type AlertOperator, sponsorshipSpentMail } from '../../mail/operatorMails.ts'
import type { Services } from '../../services.ts'
import type { SmartAccountsConfig } from '../bundlerConfig.ts'
import { everybody, toDay } from './sponsoredDays.ts'
import type { LimitReached } from './sponsorshipBudget.ts'

type SponsorshipAlertsDeps = Pick<Services, 'db' | 'clock' | 'metrics'> & {
  readonly alertOperator: AlertOperator
  readonly chains: Readonly<
    Record<string, { readonly smartAccounts?: SmartAccountsConfig | undefined }>
  >
}

const dayMs = 24 * 3_600_000

/**
 * Registers metrics of the operator's sponsorship. Returns the listener for refusals, which mails
 * the operator once per day and network if the limit for all is reached.
 */
export function createSponsorshipAlerts(
  deps: SponsorshipAlertsDeps,
): (chainId: ChainId, limit: LimitReached) => void {
  const { clock, metrics, alertOperator } = deps
  const policies = Object.entries(deps.chains).flatMap(([chain, { smartAccounts }]) =>
    smartAccounts?.sponsorship ? [{ chain, weiPerDay: smartAccounts.sponsorship.weiPerDay }] : [],
  )
  const registers = [metrics.registry]
  const refusals = new Counter({
    name: 'latchkey_sponsorship_refusals_total',
    help: 'Operations that were not sponsored, by network and limit: account, client, network, or operation (too expensive for any limit)',
    labelNames: ['chain', 'limit'] as const,
    registers,
  })
  new Gauge({
    name: 'latchkey_sponsorship_promised_ratio',
    help: 'Share of the budget for a day (UTC) that is reserved, from 0 to 1, by network',
    labelNames: ['chain'] as const,
    registers,
    async collect() {
      this.reset()
      // Without the database the amount is unknown, but the other metrics are still readable.
      const promised = await readCounted(deps).catch(() => undefined)
      for (const { chain, weiPerDay } of promised ? policies : [])
        this.set({ chain }, toRatio(promised?.get(chain) ?? 0n, weiPerDay))
    },
  })
  // A rate needs a value from before the first refusal.
  for (const { chain } of policies)
    for (const limit of ['account', 'client', 'network', 'operation'])
      refusals.inc({ chain, limit }, 0)
  return (chainId, limit) => {
    refusals.inc({ chain: chainId, limit })
    if (limit !== 'network') return
    const about = `sponsorship ${chainId} ${toDay(clock())}`
    alertOperator({ about, everyMs: dayMs, mail: sponsorshipSpentMail({ chainId }) })
  }
}

const toRatio = (part: bigint, all: bigint) => Number((part * 10_000n) / all) / 10_000

/** The wei that count today for all accounts together, by network. */
export async function readCounted({
  db,
  clock,
}: Pick<SponsorshipAlertsDeps, 'db' | 'clock'>): Promise<Map<string, bigint>> {
  const rows = await db
    .selectFrom('sponsored_days')
    .select(['chain_id', 'wei'])
    .where('account', '=', everybody)
    .where('day', '=', sql<string>`${toDay(clock())}::date`)
    .execute()
  return new Map(rows.map(({ chain_id, wei }) => [chain_id, BigInt(wei)]))
}
