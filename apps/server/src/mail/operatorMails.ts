import type { Mail } from './mailer.ts'
import { composeMail } from './mailTexts.ts'

/**
 * An event that needs the operator. `about` names it, and the operator gets at most one mail about
 * it per `everyMs`.
 */
export type OperatorAlert = {
  readonly about: string
  readonly everyMs: number
  readonly mail: Mail
}

/** Mails the operator in the background if an address is configured. Never throws. */
export type AlertOperator = (alert: OperatorAlert) => void

/** Recoveries are paused for all users. `minutes`: the wait until the next recovery can happen. */
export const recoveriesPausedMail = (parameters: { limit: number; minutes: number }): Mail =>
  composeMail('Recoveries of wallets are paused', [
    `There were ${parameters.limit} recoveries of wallets within an hour, which may be an attack on your server. More are refused for now.`,
    `The next one can happen in about ${parameters.minutes} min. You do not need to do anything. Signing in, signing and sending work as before.`,
    'Check the log and the metrics of the vault: who recovers, and from where?',
  ])

/** The limit of all mails together is reached. `whom`: the affected browsers. */
export const mailsLimitedMail = (parameters: { limit: number; whom: string }): Mail =>
  composeMail(`Mails to ${parameters.whom} are refused`, [
    `Your server sends ${parameters.limit} mails in an hour to ${parameters.whom} (MAILS_PER_HOUR), and more were requested. Someone may be using it to send mails, or to keep your users out.`,
    'Meanwhile few of these browsers can sign in or confirm with a code. New and known browsers have a limit each, and signed-in users are not affected. The limit recovers gradually. You do not need to do anything.',
    'Check the log: where do the requests come from? If you have so many users, raise the limit.',
  ])

/** New accounts with a passkey alone are paused, because there were too many in an hour. */
export const accountsPausedMail = ({ limit }: { limit: number }): Mail =>
  composeMail('New accounts with a passkey are paused', [
    `There were ${limit} new accounts with a passkey alone within an hour (PASSKEY_ACCOUNTS_OF_ALL_PER_HOUR). Someone may be making them in bulk. More are refused for now.`,
    'They are possible again as the hour passes. You do not need to do anything. Everyone who has an account signs in as before, and new users can use the other sign-ins.',
    'Check the log: where do the requests come from? If you have so many new users, raise the limit. PASSKEY_ACCOUNTS=off turns such accounts off.',
  ])

/** Today's fee budget of a network is used up. */
export const sponsorshipSpentMail = ({ chainId }: { chainId: string }): Mail =>
  composeMail(`Today’s fee budget for ${chainId} is used up`, [
    'Today’s budget for all users of this network (weiPerDay in CHAINS_FILE) is promised, and the remainder was too small for another operation. Users pay their own fees until midnight (UTC).',
    'Unused promises return to the budget after ten minutes. If you expected to pay less, check whose fees were paid before you raise the limit.',
  ])
