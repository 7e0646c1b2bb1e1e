import { truncateAddress } from '@latchkey/core/internal'
import type { SessionEntry } from '@latchkey/wire'
import { useLatchkey } from '../../app/context.ts'
import { useErrorMessage } from '../../errors/errorMessage.ts'
import { useRevokePermissions } from '../../hooks/permissions/useRevokePermissions.ts'
import { enSessions } from '../../locales/enSessions.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { Tag } from '../../parts/Row.tsx'
import { Permissions } from './Permissions.tsx'
import styles from './SmartSessions.module.css'

/** A session: its holder, expiry and permissions, and the button that revokes it. */
export function SmartSessionRow({
  session,
  nowMs,
  onRevoked,
}: {
  session: SessionEntry
  nowMs: number
  onRevoked: () => void
}) {
  const t = useT(enSessions)
  const getMessage = useErrorMessage()
  const { locale } = useLatchkey()
  const { revokePermissions, isPending, isError, error } = useRevokePermissions()
  const endsMs = session.expiry * 1_000
  const who = session.origin ?? session.project.name
  const isActive = session.revokedAt === null && endsMs > nowMs
  const state = session.revokedAt !== null ? 'revoked' : endsMs > nowMs ? 'active' : 'expired'
  const end = () => revokePermissions({ context: session.pci }, { onSuccess: onRevoked })
  return (
    <li className={styles.session}>
      <p className={styles.who}>
        <bdi translate="no">{who}</bdi> <Tag>{t(`sessions.${state}`)}</Tag>
      </p>
      <Permissions session={session} />
      <p className={styles.detail}>
        {t('sessions.until', {
          date: new Date(endsMs).toLocaleString(locale, {
            dateStyle: 'medium',
            timeStyle: 'short',
          }),
        })}
        <br />
        {t('sessions.by')}{' '}
        <bdi translate="no" title={session.delegate}>
          {truncateAddress(session.delegate)}
        </bdi>
      </p>
      {isActive && (
        <Button
          variant="danger"
          busy={isPending}
          aria-label={t('sessions.revokeOf', { who })}
          onClick={end}
        >
          {t(isPending ? 'sessions.waiting' : 'sessions.revoke')}
        </Button>
      )}
      {isError && (
        <p className={styles.error} role="alert">
          {t('sessions.declined', { reason: getMessage(error) })}
        </p>
      )}
    </li>
  )
}
