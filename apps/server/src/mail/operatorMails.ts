import type { Mail } from './mailer.ts'
import { composeMail } from './mailTexts.ts'

/** Something that needs the operator. `about` names it: it is mailed at most once in `everyMs` milliseconds. */
export type OperatorAlert = {
  readonly about: string
  readonly everyMs: number
  readonly mail: Mail
}

/** Tells the operator in the background, where an address is configured. Never throws. */
export type AlertOperator = (alert: OperatorAlert) => void

/** Recoveries are paused for everybody. `minutes`: until the next one may happen. */
export const recoveriesPausedMail = (parameters: { limit: number; minutes: number }): Mail =>
  composeMail('Recoveries of wallets are paused', [
    `There were ${parameters.limit} recoveries of wallets within an hour, which may be an attack on your server. Further ones are refused now.`,
    `The next one can happen in about ${parameters.minutes} min, without anything that you do. Signing in, signing and sending work as before.`,
    'Look at the log and at the metrics of the vault: who recovers, and from where?',
  ])

/** What the operator pays for on a network is used up for today. */
export const sponsorshipSpentMail = ({ chainId }: { chainId: string }): Mail =>
  composeMail(`Fees on ${chainId} are not paid any more today`, [
    'What you pay in a day for all users of this network (weiPerDay in CHAINS_FILE) is promised, and what is left was too little for an operation. Users pay their own fees until midnight (UTC).',
    'Promises that are not used come back after ten minutes. If you expected less, look at who was paid for before you raise the limit.',
  ])
