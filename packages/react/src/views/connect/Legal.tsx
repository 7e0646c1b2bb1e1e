import { useId } from 'react'
import { useApp } from '../../app/useApp.ts'
import { useT } from '../../locales/useT.ts'
import styles from '../view.module.css'

/**
 * The terms that users accept by connecting: a line of text, or a checkbox if the app requires it.
 */
export function Legal({
  agreed,
  onAgree,
}: {
  agreed?: boolean
  onAgree?: (agreed: boolean) => void
}) {
  const { termsUrl: terms, privacyUrl: privacy } = useApp().config.modal
  const t = useT()
  const id = useId()
  if (terms === undefined && privacy === undefined) return null
  const links = (
    <>
      {terms !== undefined && <Out href={terms}>{t('connect.terms')}</Out>}
      {terms !== undefined && privacy !== undefined && <span>{` ${t('connect.and')} `}</span>}
      {privacy !== undefined && <Out href={privacy}>{t('connect.privacy')}</Out>}
    </>
  )
  if (onAgree === undefined) {
    return (
      <p className={styles.foot}>
        {t('connect.legalBefore')} {links}
      </p>
    )
  }
  return (
    <div className={styles.legal}>
      <input
        id={id}
        type="checkbox"
        checked={agreed ?? false}
        onChange={(event) => onAgree(event.target.checked)}
      />
      <label htmlFor={id}>
        {t('connect.legalAccept')} {links}
      </label>
    </div>
  )
}

const Out = ({ href, children }: { href: string; children: string }) => (
  <a className={styles.link} href={href} target="_blank" rel="noreferrer noopener">
    {children}
  </a>
)
