import { LatchkeyError } from '@latchkey/wire'
import { Counter, type Registry } from 'prom-client'
import { consumeLimit, type Window } from '../auth/codes/rateLimits.ts'
import type { StoredLogin } from '../auth/session/session.ts'
import type { Vault } from './vault.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** How often one device may do each action, and how often all devices of a user together may. */
const windows = {
  'vault share': [
    { limit: 30, ms: minuteMs },
    { limit: 300, ms: hourMs },
  ],
  'vault recovery': [{ limit: 3, ms: dayMs }],
  'vault operator recovery': [{ limit: 3, ms: dayMs }],
  'vault prepare': [
    { limit: 20, ms: minuteMs },
    { limit: 100, ms: hourMs },
  ],
  'vault move': [
    { limit: 20, ms: hourMs },
    { limit: 50, ms: dayMs },
  ],
  'vault enroll': [{ limit: 20, ms: hourMs }],
  'vault account type': [{ limit: 60, ms: hourMs }],
  'vault delegation end': [{ limit: 10, ms: hourMs }],
} as const satisfies Record<string, readonly Window[]>

export type VaultAction = keyof typeof windows

/** Counts the requests that the vault's limits refuse. */
export function createRefusals(registry: Registry): Counter<'limit'> {
  const refusals = new Counter({
    name: 'latchkey_vault_refusals_total',
    help: 'Requests to the vault that a limit refused, by limit; all_recoveries is the limit for all users together',
    labelNames: ['limit'] as const,
    registers: [registry],
  })
  // A rate needs a value from before the first refusal.
  for (const action of Object.keys(windows) as VaultAction[])
    refusals.inc({ limit: toLabel(action) }, 0)
  return refusals
}

const toLabel = (action: VaultAction) => action.replace('vault ', '').replaceAll(' ', '_')

/**
 * Counts one action of a device. Each device has its own limit, so that a person who signs in with
 * the mailbox alone cannot use up the limit of the devices that hold the wallet. Throws
 * `RATE_LIMITED`.
 */
export async function takeVaultTurn(
  vault: Pick<Vault, 'db' | 'clock' | 'kms' | 'log' | 'refusals'>,
  scope: VaultAction,
  { userId, deviceId }: Pick<StoredLogin, 'userId' | 'deviceId'>,
): Promise<void> {
  const subject = await vault.kms.mac('vault budget', JSON.stringify([userId, deviceId]))
  const budget = { scope, subject, windows: windows[scope] }
  const waitMs = await consumeLimit(vault.db, { budget, nowMs: vault.clock() })
  if (waitMs === 0) return
  vault.refusals.inc({ limit: toLabel(scope) })
  vault.log.warn({ scope }, 'a limit of the vault was reached')
  throw new LatchkeyError('RATE_LIMITED', { data: { seconds: Math.ceil(waitMs / 1000) } })
}
