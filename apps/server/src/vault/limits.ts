import { LatchkeyError } from '@latchkey/wire'
import { spend, type Window } from '../auth/codes/budgets.ts'
import type { Session } from '../auth/session/session.ts'
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
} as const satisfies Record<string, readonly Window[]>

/** More recoveries than this within an hour indicate an attack on the server. */
const breaker = { scope: 'vault recoveries of all', limit: 100 }

/**
 * Counts one action of a device. Each device has its own limit, so that a person who signs in with the mailbox alone cannot
 * use up the limit of the devices that hold the wallet. Throws `RATE_LIMITED`.
 */
export async function takeVaultTurn(
  vault: Pick<Vault, 'db' | 'clock' | 'kms' | 'log'>,
  scope: keyof typeof windows,
  { userId, deviceId }: Pick<Session, 'userId' | 'deviceId'>,
): Promise<void> {
  const subject = await vault.kms.mac('vault budget', JSON.stringify([userId, deviceId]))
  const budget = { scope, subject, windows: windows[scope] }
  const waitMs = await spend(vault.db, { budget, nowMs: vault.clock() })
  if (waitMs === 0) return
  vault.log.warn({ scope }, 'a limit of the vault was reached')
  throw new LatchkeyError('RATE_LIMITED', { data: { seconds: Math.ceil(waitMs / 1000) } })
}

/** Counts one recovery of all users. Throws `RECOVERY_PAUSED` if there were too many. */
export async function takeRecovery(vault: Pick<Vault, 'db' | 'clock' | 'log'>): Promise<void> {
  const { scope, limit } = breaker
  const budget = { scope, subject: Buffer.alloc(1), windows: [{ limit, ms: hourMs }] }
  const waitMs = await spend(vault.db, { budget, nowMs: vault.clock() })
  if (waitMs === 0) return
  vault.log.error({ limit }, 'recoveries are paused: too many in an hour')
  throw new LatchkeyError('RECOVERY_PAUSED')
}
