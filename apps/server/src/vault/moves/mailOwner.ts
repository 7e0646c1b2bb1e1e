import { openEmail } from '../../auth/email/sealedEmail.ts'
import type { Session } from '../../auth/session/session.ts'
import type { walletMovedMail } from '../../mail/walletMails.ts'
import type { Vault } from '../vault.ts'

/**
 * Tells the owner what has happened to a wallet. What has happened stays, also if the mail cannot
 * be sent; the log says so.
 */
export async function mailOwner(
  vault: Vault,
  { email }: Pick<Session, 'email'>,
  mail: ReturnType<typeof walletMovedMail>,
): Promise<void> {
  if (!email || !vault.mailer) return
  try {
    await vault.mailer.send({ ...mail, to: await openEmail(vault, email.sealed) })
  } catch (error) {
    vault.log.error({ err: error }, 'a mail about a wallet was not sent')
  }
}
