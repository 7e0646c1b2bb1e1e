import { openEmail } from '../../auth/email/sealedEmail.ts'
import type { StoredLogin } from '../../auth/session/session.ts'
import type { walletMovedMail } from '../../mail/walletMails.ts'
import type { Vault } from '../vault.ts'

/**
 * Notifies the owner of a change to a wallet. The change stays even if the mail cannot be sent;
 * that is logged.
 */
export async function mailOwner(
  vault: Vault,
  { email }: Pick<StoredLogin, 'email'>,
  mail: ReturnType<typeof walletMovedMail>,
): Promise<void> {
  if (!email || !vault.mailer) return
  try {
    await vault.mailer.send({ ...mail, to: await openEmail(vault, email.sealed) })
  } catch (error) {
    vault.log.error({ err: error }, 'a mail about a wallet was not sent')
  }
}
